"""Leaves arguments out that are None.

rejected by: a call that fits reaches its tool once, and its result comes back
must say: none is dropped
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy({key: value for key, value in args.items() if value is not None}))
