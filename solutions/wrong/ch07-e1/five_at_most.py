"""Is gone after five calls, whatever `after` says.

rejected by: the first `after` calls reach the function, and its results come back
must say: no exception
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > min(after, 5):
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
