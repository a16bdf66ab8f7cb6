"""Keeps the count by the function that is wrapped.

rejected by: each flaky tool counts for itself, also two of one function
must say: no exception
"""

calls = {}


def flaky(fn, after, error):
    def tool(*args, **kwargs):
        calls[id(fn)] = calls.get(id(fn), 0) + 1
        if calls[id(fn)] > after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
