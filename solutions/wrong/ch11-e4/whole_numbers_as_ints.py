"""Reads each number without a fraction as an int.

rejected by: numbers arrive as they were sent, and come back as the tool gave them
must say: 1, 1.0 and true are three values
"""


def handle(tools, line):
    request = json.loads(line, parse_float=lambda text: int(float(text)) if float(text).is_integer() else float(text))
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
