"""Wraps a ToolError of the tool in another one.

rejected by: a ToolError of the tool comes through as it is, after one call
must say: said what there is to say
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
    except ToolError as error:
        raise ToolError(name, f"failed: {error}") from error
