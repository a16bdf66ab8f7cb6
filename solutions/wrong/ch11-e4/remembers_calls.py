"""Answers a call that came before from memory, under the new id.

rejected by: and reach the tools as often, with the same arguments
must say: at both doors
"""

results = {}


def handle(tools, line):
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if request["method"] == "tools/list":
            reply["result"] = {"tools": list_tools(tools)}
        elif request["method"] == "tools/call":
            params = request["params"]
            key = id(tools), json.dumps(params)
            if key not in results:
                results[key] = call_tool(tools, params["name"], params.get("arguments", {}))
            reply["result"] = results[key]
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
