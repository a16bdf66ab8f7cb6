"""The steps as functions that raise, and one place that reports."""


class Refused(Exception):
    pass


def look_up(tools, name):
    if name not in tools:
        raise Refused("no tool named {!r} (have: {})".format(name, ", ".join(sorted(tools.keys()))))
    return tools[name]


def judged(tool, call):
    problems = validate(call.args, tool.schema, "$." + call.name)
    if problems:
        raise Refused("invalid arguments: " + "; ".join(problems))
    return dict(call.args)


def attempt(tools, call, **options):
    try:
        tool = look_up(tools, call.name)
        result = tool.fn(**deepcopy(judged(tool, call)))
        if reason := why_not_json(result):
            raise Refused(f"tool {call.name!r} returned what JSON cannot hold: {reason}")
    except Refused as refusal:
        return failed(str(refusal))
    except Exception as error:
        if isinstance(error, ToolError):
            return {"ok": False, "error": str(error), "retryable": isinstance(error, UnavailableError)}
        return failed(f"tool {call.name!r} raised {error.__class__.__name__}: {error}", False)
    return {"ok": True, "result": result}
