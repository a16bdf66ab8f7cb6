"""Reads a method in capitals as one in small letters.

rejected by: tools/list is the list of exercise 1, and any other method is error -32601
must say: no method 'Tools/List'
"""


def handle(tools, line):
    request = json.loads(line)
    method = request["method"].lower()
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if method == "tools/list":
            reply["result"] = {"tools": list_tools(tools)}
        elif method == "tools/call":
            params = request["params"]
            reply["result"] = call_tool(tools, params["name"], params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
