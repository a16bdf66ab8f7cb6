"""Removes the loop's own tools from the dict that it was given.

rejected by: tools/list is the list of exercise 1, and any other method is error -32601
must say: goes on with the same tools
"""


def handle(tools, line):
    for own in [own for own in tools if own.startswith("_")]:
        del tools[own]
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
    return json.dumps(reply, ensure_ascii=False)
