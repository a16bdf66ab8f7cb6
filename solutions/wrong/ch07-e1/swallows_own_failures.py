"""Turns what the function itself raises into the given error.

rejected by: a call in which the function itself raises is one of them
must say: the function's own exception comes through
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        try:
            return fn(*args, **kwargs)
        except Exception:
            raise ToolError(error) from None

    return tool
