"""Answers a line that came before from memory.

rejected by: and reach the tools as often, with the same arguments
must say: at both doors
"""

replies = {}


def handle(tools, line):
    if line in replies:
        return replies[line]
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
        reply["error"] = {"code": error.code, "message": error.message}
    replies[line] = json.dumps(reply, ensure_ascii=False)
    return replies[line]
