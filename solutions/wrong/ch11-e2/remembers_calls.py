"""Answers a call that it has made before from memory.

rejected by: the tool is called once, with the arguments as they came
must say: who asks twice wants it done twice
"""

made = {}


def call_tool(tools, name, args):
    public = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith("_"))
    try:
        key = name, json.dumps(args, sort_keys=True), id(tools)
        if key not in made:
            made[key] = run_tool(public, name, args)
        value = made[key]
    except UnknownToolError as error:
        raise McpError(INVALID_PARAMS, str(error)) from None
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
