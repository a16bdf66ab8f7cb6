"""Stands alone: uses neither `list_tools` nor `call_tool` of the earlier exercises."""


def text_part(text):
    return [{"type": "text", "text": text}]


def handle(tools, line):
    request = json.loads(line)
    public = ToolRegistry(tool for tool in tools.values() if not tool.name.startswith("_"))

    def reply(**end):
        return json.dumps({"jsonrpc": "2.0", "id": request["id"], **end}, ensure_ascii=False)

    if request["method"] == "tools/list":
        shown = public.manifest()
        return reply(result={"tools": [{"inputSchema": entry.pop("schema"), **entry} for entry in shown]})
    if request["method"] != "tools/call":
        return reply(error={"code": METHOD_NOT_FOUND, "message": f"no method {request['method']!r}"})
    params = request["params"]
    try:
        value = run_tool(public, params["name"], params.get("arguments", {}))
    except UnknownToolError as error:
        return reply(error={"code": INVALID_PARAMS, "message": str(error)})
    except ToolError as error:
        return reply(result={"content": text_part(str(error)), "isError": True})
    except Exception:
        return reply(error={"code": INTERNAL_ERROR, "message": "Internal server error"})
    made = {"content": text_part(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}
    if isinstance(value, dict):
        made["structuredContent"] = value
    return reply(result={**made, "isError": False})
