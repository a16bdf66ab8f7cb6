"""Names the first fault and no other.

rejected by: every fault of the arguments is named, in the validator's order
must say: a turn for each
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {faults[0]}")
    return tools[name].fn(**deepcopy(args))
