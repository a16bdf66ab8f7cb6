"""Takes an empty text for no text.

rejected by: a text becomes a ToolError, and an exception is raised as it is
must say: a defect and a refusal must stay two things
"""


def flaky(fn, after, error):
    calls = 0

    def tool(*args, **kwargs):
        nonlocal calls
        calls += 1
        if calls > after:
            raise ToolError(error) if error and isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
