"""Lets the dict raise its own KeyError.

rejected by: an unknown name is refused with the names that there are, sorted
must say: ToolError to be raised
"""

from copy import deepcopy


def call_tool(tools, name, args):
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
