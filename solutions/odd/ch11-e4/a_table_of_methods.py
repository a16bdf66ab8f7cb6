"""Methods in a dict, a class that can be called, ASCII on the wire."""


class Server:
    def __init__(self):
        self.methods = {
            "tools/list": lambda tools, params: {"tools": list_tools(tools)},
            "tools/call": lambda tools, params: call_tool(tools, params["name"], params.get("arguments") or {}),
        }

    def __call__(self, tools, line, *, indent=None):
        request = json.loads(line)
        method, number = request["method"], request["id"]
        try:
            if method not in self.methods:
                raise McpError(-32601, f"no method {method!r}")
            end = {"result": self.methods[method](tools, request.get("params", {}))}
        except McpError as error:
            end = {"error": {"message": error.message, "code": error.code}}
        return json.dumps({**end, "jsonrpc": "2.0", "id": number}, indent=indent, separators=(",", ":"))


handle = Server()
