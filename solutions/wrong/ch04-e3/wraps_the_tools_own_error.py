"""Wraps a ToolError of the tool in another one.

rejected by: so does every other exception, a ToolError with its text unchanged
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
