"""Counts a call in which the function raises twice.

rejected by: a call in which the function itself raises is one of them
must say: no exception
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
            calls += 1
            raise

    return tool
