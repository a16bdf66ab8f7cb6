"""`itertools` in place of a counter."""

from functools import wraps
from itertools import chain, repeat


def flaky(fn, after, error):
    alive = chain(repeat(True, after), repeat(False))

    @wraps(fn)
    def tool(*args, **kwargs):
        if next(alive):
            return fn(*args, **kwargs)
        raise error if isinstance(error, BaseException) else ToolError(error)

    return tool
