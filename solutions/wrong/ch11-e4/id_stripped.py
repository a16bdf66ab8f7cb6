"""Strips an id of its blanks.

rejected by: a reply carries the id of its request, number or text
must say: by the id alone
"""


def handle(tools, line):
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"].strip() if isinstance(request["id"], str) else request["id"]}
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
