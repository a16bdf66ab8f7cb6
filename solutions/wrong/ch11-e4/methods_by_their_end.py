"""Tells the method by its last word.

rejected by: tools/list is the list of exercise 1, and any other method is error -32601
must say: -32601
"""


def handle(tools, line):
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if request["method"].endswith("list"):
            reply["result"] = {"tools": list_tools(tools)}
        elif request["method"].endswith("call"):
            params = request["params"]
            reply["result"] = call_tool(tools, params["name"], params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
