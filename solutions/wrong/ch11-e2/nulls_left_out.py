"""Leaves out what is None in an object.

rejected by: an object comes as `structuredContent` too
must say: 'none': None
"""


def call_tool(tools, name, args):
    public = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith("_"))
    try:
        value = run_tool(public, name, args)
    except UnknownToolError as error:
        raise McpError(INVALID_PARAMS, str(error)) from None
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = {}
    if isinstance(value, dict):
        data["structuredContent"] = {key: item for key, item in value.items() if item is not None}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
