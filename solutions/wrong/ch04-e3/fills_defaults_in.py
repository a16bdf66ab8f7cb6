"""Fills in what the schema notes as a default.

rejected by: a call that fits reaches its tool once, and its result comes back
must say: no argument is added
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    given = deepcopy(args)
    for key, one in tools[name].schema["properties"].items():
        if "default" in one:
            given.setdefault(key, one["default"])
    return tools[name].fn(**given)
