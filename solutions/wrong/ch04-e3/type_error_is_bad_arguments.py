"""Takes a TypeError inside the tool for bad arguments.

rejected by: a TypeError inside the tool is the tool's own, and comes through
must say: a model cannot mend a tool
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
    except TypeError as error:
        raise ToolError(f"invalid arguments: {error}") from error
