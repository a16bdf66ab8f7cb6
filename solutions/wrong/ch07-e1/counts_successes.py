"""Counts the calls that succeeded only.

rejected by: a call in which the function itself raises is one of them
must say: the call was made, whatever came of it
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        if calls >= after:
            raise ToolError(error) if isinstance(error, str) else error
        result = fn(*args, **kwargs)
        calls += 1
        return result

    return tool
