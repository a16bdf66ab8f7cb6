"""Merges the arguments into a default dict that lives on from call to call.

rejected by: one call leaves nothing behind for the next
must say: not filled from an earlier call
"""

from copy import deepcopy


def call_tool(tools, name, args, merged={}):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    merged.update(deepcopy(args))
    return tools[name].fn(**merged)
