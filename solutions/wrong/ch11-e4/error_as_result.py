"""Writes an error as a result with `isError`.

rejected by: an error is an error and no result, and tells nothing of a defect
must say: error
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
    except McpError as error:
        reply["result"] = {"content": [{"type": "text", "text": error.message}], "isError": True}
    return json.dumps(reply, ensure_ascii=False)
