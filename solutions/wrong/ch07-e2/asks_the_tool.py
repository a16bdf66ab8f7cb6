"""Does not validate: the tool will complain by itself.

rejected by: arguments that do not fit are named by their places, and nothing is called
must say: a failure has an error and no result
"""


def attempt(tools, call):
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    try:
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    return done(result)
