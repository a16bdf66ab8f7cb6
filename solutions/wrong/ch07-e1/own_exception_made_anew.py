"""Raises a copy of what the function raised.

rejected by: a call in which the function itself raises is one of them
must say: it comes through as it is
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        try:
            return fn(*args, **kwargs)
        except Exception as problem:
            raise type(problem)(*problem.args) from None

    return tool
