"""Asks `json.dumps`, which lets NaN and infinities pass.

rejected by: what JSON cannot hold is refused
must say: a failure has an error and no result
"""


def attempt(tools, call):
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    problems = validate(call.args, tool.schema, f"$.{call.name}")
    if problems:
        return failed(f"invalid arguments: {'; '.join(problems)}")
    try:
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    try:
        json.dumps(result)
    except TypeError:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {why_not_json(result)}")
    return done(result)
