"""Names ten tools at most.

rejected by: an unknown name is refused with the names that there are, sorted
must say: no tool named
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=sorted(tools)[:10])
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
