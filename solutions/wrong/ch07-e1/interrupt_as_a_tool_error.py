"""Raises what is no Exception as a ToolError.

rejected by: a text becomes a ToolError, and an exception is raised as it is
must say: a defect and a refusal must stay two things
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise error if isinstance(error, Exception) else ToolError(str(error))
        return fn(*args, **kwargs)

    return tool
