"""Raises a new exception of the same class.

rejected by: a text becomes a ToolError, and an exception is raised as it is
must say: one that is an exception is raised as it is
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else type(error)(*error.args)
        return fn(*args, **kwargs)

    return tool
