"""Does not look at upper and lower case in a name.

rejected by: an unknown name is refused with the names that there are, sorted
must say: must learn which there are
"""

from copy import deepcopy


def call_tool(tools, name, args):
    name = {one.lower(): one for one in tools}.get(name.lower(), name)
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
