"""A `match` over what came back, and a class of McpError of its own."""


class UnknownName(McpError):
    def __init__(self, message):
        super().__init__(INVALID_PARAMS, message)


def ended(text, error=False, **more):
    return {"content": [{"type": "text", "text": text}], "isError": error, **more}


def call_tool(tools, name, args, *, hidden="_"):
    try:
        match run_tool(ToolRegistry(t for n, t in tools.items() if not n.startswith(hidden)), name, args):
            case str(text):
                return ended(text)
            case dict(data):
                return ended(json.dumps(data, ensure_ascii=False), structuredContent=data)
            case other:
                return ended(json.dumps(other, ensure_ascii=False))
    except ToolError as error:
        if isinstance(error, UnknownToolError):
            raise UnknownName(str(error)) from error
        return ended(str(error), error=True)
    except Exception as error:
        raise McpError(INTERNAL_ERROR, "Internal server error") from error
