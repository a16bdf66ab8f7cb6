"""Keeps one count for tools of one function with one error.

rejected by: each flaky tool counts for itself, also two of one function
must say: no exception
"""

counts = {}


def flaky(fn, after, error):
    key = (id(fn), after, str(error))

    def tool(*args, **kwargs):
        counts[key] = counts.get(key, 0) + 1
        if counts[key] > after:
            raise ToolError(error) if isinstance(error, str) else error
        return fn(*args, **kwargs)

    return tool
