"""Works again after three failures.

rejected by: every later call raises, and reaches nothing
must say: it works `after` times, and then it is gone
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if after < calls <= after + 3:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
