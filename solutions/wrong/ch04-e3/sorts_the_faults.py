"""Sorts the faults as texts.

rejected by: every fault of the arguments is named, in the validator's order
must say: a turn for each
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(sorted(faults))}")
    return tools[name].fn(**deepcopy(args))
