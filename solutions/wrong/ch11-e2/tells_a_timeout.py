"""Takes a TimeoutError for something that the model can mend.

rejected by: a defect is error -32603 and says nothing of itself
must say: McpError to be raised
"""


def call_tool(tools, name, args):
    public = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith("_"))
    try:
        value = run_tool(public, name, args)
    except UnknownToolError as error:
        raise McpError(INVALID_PARAMS, str(error)) from None
    except (ToolError, TimeoutError) as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
