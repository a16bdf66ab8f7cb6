"""Turns a text into the number that it means, to be helpful.

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
            args = dict(params.get("arguments", {}))
            for key, value in args.items():
                if isinstance(value, str) and value.isdigit():
                    args[key] = int(value)
            reply["result"] = call_tool(tools, params["name"], args)
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
