"""Times the call and forgets what else can go wrong.

rejected by: without limits it is the attempt of exercise 2
must say: no exception
"""


def attempt(tools, call, limits=None, clock=None):
    limit = (limits or {}).get(call.name)
    started = clock() if limit is not None else None
    try:
        result = tools[call.name].fn(**deepcopy(call.args))
    except ToolError as error:
        return failed(str(error), retryable=isinstance(error, UnavailableError))
    except RuntimeError as error:
        return failed(f"tool {call.name!r} raised {type(error).__name__}: {error}")
    if limit is not None and (took := clock() - started) > limit:
        reason = f"tool {call.name!r} answered after {took:g} s, and its limit is {limit:g} s"
        return failed(reason, retryable=True, late=True)
    return done(result)
