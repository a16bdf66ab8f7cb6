"""Goes past `call_tool`, so that the own tools are served.

rejected by: fifty generated calls end over the wire as they end in the loop
must say: two doors to one room
"""

from dataclasses import replace


def around(tools, name, args):
    return call_tool({key.lstrip("_"): replace(tool, name=key.lstrip("_")) for key, tool in tools.items()}, name, args)


def handle(tools, line):
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if request["method"] == "tools/list":
            reply["result"] = {"tools": list_tools(tools)}
        elif request["method"] == "tools/call":
            params = request["params"]
            reply["result"] = around(tools, params["name"], params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
