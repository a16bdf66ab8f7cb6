"""Runs the function and then says that it is gone.

rejected by: every later call raises, and reaches nothing
must say: does nothing any more
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        result = fn(*args, **kwargs)
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        return result

    return tool
