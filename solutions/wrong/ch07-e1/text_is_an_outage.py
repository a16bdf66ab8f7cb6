"""Raises a text as an UnavailableError.

rejected by: a text becomes a ToolError, and an exception is raised as it is
must say: a text is raised as ToolError(error), and nothing is added to it
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise UnavailableError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
