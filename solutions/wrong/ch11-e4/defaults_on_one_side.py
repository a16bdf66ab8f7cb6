"""Fills in what was left out from the schema's defaults.

rejected by: and reach the tools as often, with the same arguments
must say: is filled in by the tool's own signature
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
            if params["name"] in tools:
                for key, rule in tools[params["name"]].schema.get("properties", {}).items():
                    if "default" in rule:
                        args.setdefault(key, rule["default"])
            reply["result"] = call_tool(tools, params["name"], args)
        else:
            raise McpError(METHOD_NOT_FOUND, f"no method {request['method']!r}")
    except McpError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    return json.dumps(reply, ensure_ascii=False)
