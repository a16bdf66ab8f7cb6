"""Passes on what came by position, and loses what came by name.

rejected by: arguments pass through, by name and by position
must say: called as it would be without the wrapper
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args)

    return tool
