"""Returns every result as a text.

rejected by: the first `after` calls reach the function, and its results come back
must say: what the function returned is returned
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        return str(fn(*args, **kwargs))

    return tool
