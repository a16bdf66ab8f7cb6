"""Calls once more where the tool has failed.

rejected by: so does every other exception, whatever its kind, after one call
must say: there is no second try
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    try:
        return tools[name].fn(**deepcopy(args))
    except Exception:
        return tools[name].fn(**deepcopy(args))
