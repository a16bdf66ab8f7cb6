"""Judges with the path `$`, so that no fault says which tool it was.

rejected by: arguments that do not fit are refused, and no tool is called
must say: the path says which argument
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema)
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
