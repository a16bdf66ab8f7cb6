"""Strips the arguments of their blanks.

rejected by: the tool is called once, with the arguments as they came
must say: none is left out, and none is mended
"""


def call_tool(tools, name, args):
    public = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith("_"))
    try:
        value = run_tool(public, name, {key: a.strip() if isinstance(a, str) else a for key, a in args.items()})
    except UnknownToolError as error:
        raise McpError(INVALID_PARAMS, str(error)) from None
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    except Exception:
        raise McpError(INTERNAL_ERROR, "Internal server error") from None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    data = {"structuredContent": value} if isinstance(value, dict) else {}
    return {"content": [{"type": "text", "text": text}], **data, "isError": False}
