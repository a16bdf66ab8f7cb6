"""Returns the error in place of raising it.

rejected by: every later call raises, and reaches nothing
must say: ToolError to be raised
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            return str(error)
        return fn(*args, **kwargs)

    return tool
