"""Judges the arguments a second time, by rules of its own.

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
            tool = tools.get(params["name"])
            kinds = {"integer": int, "number": (int, float), "string": str}
            for key, value in params.get("arguments", {}).items():
                rule = tool.schema.get("properties", {}).get(key, {}) if tool else {}
                if not isinstance(value, kinds.get(rule.get("type"), object)):
                    raise McpError(INVALID_PARAMS, f"{key} must be of type {rule['type']}")
            reply["result"] = call_tool(tools, params["name"], params.get("arguments", {}))
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
