"""Leaves out what is None in an object.

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
            reply["result"] = call_tool(tools, params["name"], params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
        data = reply["result"].get("structuredContent")
        if data:
            reply["result"]["structuredContent"] = {key: item for key, item in data.items() if item is not None}
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
