"""Late when the limit is reached: `>=` where `>` belongs.

rejected by: exactly the limit is in time
must say: more than the limit
"""


def attempt(tools, call, limits=None, clock=None):
    tool = tools.get(call.name)
    if tool is None:
        return failed(f"no tool named {call.name!r} (have: {', '.join(sorted(tools))})")
    problems = validate(call.args, tool.schema, f"$.{call.name}")
    if problems:
        return failed(f"invalid arguments: {'; '.join(problems)}")
    limit = (limits or {}).get(call.name)
    started = clock() if limit is not None else None
    try:
        result = tool.fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    took = clock() - started if limit is not None else None
    problem = why_not_json(result)
    if problem:
        return failed(f"tool {call.name!r} returned what JSON cannot hold: {problem}")
    if limit is not None and took >= limit:
        reason = f"tool {call.name!r} answered after {took:g} s, and its limit is {limit:g} s"
        return failed(reason, retryable=True, late=True)
    return done(result)
