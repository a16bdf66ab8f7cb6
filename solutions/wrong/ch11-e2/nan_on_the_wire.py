"""Judges the arguments and not the result.

rejected by: what JSON cannot hold is such a result
must say: it is no JSON
"""

from course.schema import validate


def call_tool(tools, name, args):
    public = {key: tool for key, tool in tools.items() if not key.startswith("_")}
    if name not in public:
        raise McpError(INVALID_PARAMS, f"no tool named {name!r} (have: {', '.join(sorted(public))})")
    problems = validate(args, public[name].schema, f"$.{name}")
    if problems:
        return {"content": [{"type": "text", "text": f"invalid arguments: {'; '.join(problems)}"}], "isError": True}
    try:
        value = public[name].fn(**args)
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
