"""Calls the tool once to see whether it works, and once for the result.

rejected by: a result is an outcome that is ok, and the arguments arrive as they are
must say: the function is called once
"""


def attempt(tools, call):
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    problems = validate(call.args, tool.schema, f"$.{call.name}")
    if problems:
        return failed(f"invalid arguments: {'; '.join(problems)}")
    try:
        tool.fn(**deepcopy(call.args))
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    return done(result)
