"""Reads numbers as Decimal, to be exact.

rejected by: numbers arrive as they were sent, and come back as the tool gave them
must say: 1, 1.0 and true
"""


def handle(tools, line):
    from decimal import Decimal

    request = json.loads(line, parse_float=Decimal)
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
