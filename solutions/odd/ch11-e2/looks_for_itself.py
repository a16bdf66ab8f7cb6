"""Looks the name up and validates by hand, in the same words."""

from course.jsonable import why_not_json
from course.schema import validate


def call_tool(tools, name, args):
    tool = None if name.startswith("_") else tools.get(name)
    if tool is None:
        have = ", ".join(sorted(n for n in tools if n[0] != "_"))
        raise McpError(-32602, f"no tool named {name!r} (have: {have})")
    flag = True
    structured = {}
    if problems := validate(args, tool.schema, f"$.{name}"):
        text = f"invalid arguments: {'; '.join(problems)}"
    else:
        try:
            value = tool.fn(**args)
        except ToolError as refusal:
            text = str(refusal)
        except Exception as defect:
            raise McpError(-32603, "Internal server error") from defect
        else:
            problem = why_not_json(value)
            if problem:
                text = f"tool {name!r} returned what JSON cannot hold: {problem}"
            else:
                flag = False
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                if isinstance(value, dict):
                    structured["structuredContent"] = value
    return {"isError": flag, "content": [{"text": text, "type": "text"}]} | structured
