"""Fails one call too early: `>=` where `>` belongs.

rejected by: the first `after` calls reach the function, and its results come back
must say: no exception
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls >= after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
