"""Takes an empty result for a failure.

rejected by: an empty result is a result
must say: ToolError
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    result = tools[name].fn(**deepcopy(args))
    if not result:
        raise ToolError(name, "returned nothing")
    return result
