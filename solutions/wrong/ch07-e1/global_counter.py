"""One counter for all flaky tools.

rejected by: each flaky tool counts for itself, also two of one function
must say: no exception
"""

calls = 0


def flaky(fn, after, error):
    def tool(*args, **kwargs):
        global calls
        calls += 1
        if calls > after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
