"""Prints each request, to see what comes in.

rejected by: nothing is printed on stdout: it may be the wire
must say: ends the connection at one that is none
"""


def handle(tools, line):
    request = json.loads(line)
    print(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if request["method"] == "tools/list":
            reply["result"] = {"tools": list_tools(tools)}
        elif request["method"] == "tools/call":
            params = request["params"]
            reply["result"] = call_tool(tools, params["name"], params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
