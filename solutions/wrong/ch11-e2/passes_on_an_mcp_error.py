"""Lets an McpError through, whoever has raised it.

rejected by: an McpError that a tool raises is a defect of the tool
must say: another server's tools
"""


def call_tool(tools, name, args):
    public = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith("_"))
    try:
        value = run_tool(public, name, args)
    except UnknownToolError as error:
        raise McpError(INVALID_PARAMS, str(error)) from None
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except McpError:
        raise
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
