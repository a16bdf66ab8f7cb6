"""Leaves arguments out that the schema does not know.

rejected by: arguments that do not fit are refused, and no tool is called
must say: judged before the call
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    if isinstance(args, dict):
        args = {key: value for key, value in args.items() if key in tools[name].schema["properties"]}
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
