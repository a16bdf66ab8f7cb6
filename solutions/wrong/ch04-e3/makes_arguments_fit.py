"""Makes numbers of texts that look like numbers, and then judges.

rejected by: arguments that do not fit are refused, and no tool is called
must say: judged before the call
"""

from copy import deepcopy


def call_tool(tools, name, args):
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    if isinstance(args, dict):
        args = {key: int(value) if str(value).isdigit() and key == "most" else value for key, value in args.items()}
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
