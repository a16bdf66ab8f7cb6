"""Calls first and judges afterwards.

rejected by: arguments that do not fit are refused, and no tool is called
must say: judged before the call
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    try:
        result = tools[name].fn(**deepcopy(args))
    except TypeError:
        result = None
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return result
