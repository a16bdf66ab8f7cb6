"""Makes an empty text of a result that is None.

rejected by: an empty result is a result
must say: expected None
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    result = tools[name].fn(**deepcopy(args))
    return "" if result is None else result
