"""Judges a result by `json.dumps`, which makes a text of a key 1.

rejected by: what JSON cannot hold is such a result
must say: not wanted 'structuredContent'
"""

from course.jsonable import why_not_json
from course.schema import validate


def call_tool(tools, name, args):
    public = {key: tool for key, tool in tools.items() if not key.startswith("_")}
    if name not in public:
        raise McpError(INVALID_PARAMS, f"no tool named {name!r} (have: {', '.join(sorted(public))})")
    problems = validate(args, public[name].schema, f"$.{name}")
    try:
        if problems:
            raise ToolError(f"invalid arguments: {'; '.join(problems)}")
        value = public[name].fn(**args)
        try:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError):
            raise ToolError(f"tool {name!r} returned what JSON cannot hold: {why_not_json(value)}") from None
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
