"""Removes the loop's own tools from the dict that it was given.

rejected by: the tool is called once, with the arguments as they came
must say: goes on with the same tools
"""


def call_tool(tools, name, args):
    for own in [own for own in tools if own.startswith("_")]:
        del tools[own]
    public = ToolRegistry(tools.values())
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
