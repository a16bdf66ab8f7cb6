"""Copies the dict and the lists and dicts in it, and no deeper.

rejected by: what a tool does to its arguments stays with the tool
must say: shares the inner ones
"""

from copy import copy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**{key: copy(value) for key, value in args.items()})
