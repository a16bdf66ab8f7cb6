"""An object of a class with `__call__` and a countdown."""


class Flaky:
    def __init__(self, fn, left, error):
        self.fn, self.left, self.error = fn, left, error

    def __call__(self, *args, **kwargs):
        if self.left <= 0:
            if isinstance(self.error, str):
                raise ToolError(self.error)
            raise self.error
        self.left -= 1
        return self.fn(*args, **kwargs)


def flaky(fn, after, error, name=None):
    return Flaky(fn, after, error)
