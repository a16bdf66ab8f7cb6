"""Rounds what is not whole to six digits.

rejected by: fifty generated calls end over the wire as they end in the loop
must say: two doors to one room
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
        reply["error"] = {"code": error.code, "message": error.message}
    for part in reply.get("result", {}).get("content", []):
        try:
            part["text"] = f"{float(part['text']):g}"
        except ValueError:
            pass
    return json.dumps(reply, ensure_ascii=False)
