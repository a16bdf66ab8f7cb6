"""Looks for a tool's name in small letters.

rejected by: fifty generated calls end over the wire as they end in the loop
must say: the same call ends in the same way
"""


def handle(tools, line):
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if request["method"] == "tools/list":
            reply["result"] = {"tools": list_tools(tools)}
        elif request["method"] == "tools/call":
            params = request["params"]
            reply["result"] = call_tool(tools, params["name"].lower(), params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
