"""Makes the tool's ToolError anew, and cuts off where it came from.

rejected by: a ToolError of the tool comes through as it is, after one call
must say: a copy has lost the place
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
        raise ToolError(str(error)) from None
