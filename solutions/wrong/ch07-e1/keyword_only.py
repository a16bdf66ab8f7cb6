"""Takes arguments by name only.

rejected by: arguments pass through, by name and by position
must say: no exception
"""


def flaky(fn, after, error):
    calls = 0

    def tool(**kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(**kwargs)

    return tool
