"""Takes the one tool whose name begins so.

rejected by: an unknown name is refused with the names that there are, sorted
must say: must learn which there are
"""

from copy import deepcopy


def call_tool(tools, name, args):
    alike = [one for one in tools if name and one.startswith(name)]
    if name not in tools and len(alike) == 1:
        name = alike[0]
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
