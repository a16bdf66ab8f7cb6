"""Hides a name with one underscore before it, and serves one with two.

rejected by: a tool whose name begins with an underscore is unknown, and is not called
must say: is the loop's own
"""


def call_tool(tools, name, args):
    public = ToolRegistry(tool for tool in tools.values() if tool.name[:1] != "_" or tool.name[:2] == "__")
    try:
        value = run_tool(public, name, args)
    except UnknownToolError as error:
        raise McpError(INVALID_PARAMS, str(error)) from None
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
