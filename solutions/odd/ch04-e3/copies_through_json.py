"""Copies the arguments through JSON, and looks the tool up with `get`."""

import json


def call_tool(tools, name, args, *, path="$"):
    tool = tools.get(name)
    if tool is None:
        raise ToolError(f"no tool named {name!r} (have: {', '.join(sorted(tools)) or 'none'})")
    problems = "; ".join(validate(args, tool.schema, f"{path}.{name}"))
    if problems:
        raise ToolError("invalid arguments", problems)
    return tool.fn(**json.loads(json.dumps(args)))
