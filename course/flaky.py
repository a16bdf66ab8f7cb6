"""Failure injection: a tool that works for a while and then goes away, as tools do."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from itertools import count
from typing import Any

from course.errors import ToolError


class Flaky:
    """A tool that lets `after` calls through to `fn` and raises on every later one. Made by `flaky`."""

    __name__: str

    def __init__(self, fn: Callable[..., Any], after: int, error: str | BaseException | type[BaseException]) -> None:
        update_wrapper(self, fn)
        if not hasattr(self, "__name__"):  # a partial or another callable object has no name of its own
            self.__name__ = type(fn).__name__
        self._fn, self._after, self._error = fn, after, error
        self._earlier_calls = count()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if next(self._earlier_calls) >= self._after:
            raise ToolError(self._error) if isinstance(self._error, str) else self._error
        return self._fn(*args, **kwargs)

    def fresh(self) -> Flaky:
        """The same tool with its counter back at zero; this one keeps its own count."""
        return Flaky(self._fn, self._after, self._error)


def flaky(fn: Callable[..., Any], after: int, error: str | BaseException | type[BaseException]) -> Flaky:
    """Wrap a tool so that it answers `after` times and then raises.

    fn: the tool; arguments, name, docstring and signature are passed through.
    after: how many calls reach `fn`, at least 0; a call that `fn` itself refuses is one of them.
    error: a message, raised as a ToolError; or an exception instance or class, raised as it is.
    Raises ValueError when `after` is no integer of at least 0, TypeError when `error` is none of the three.
    """
    if type(after) is not int or after < 0:
        raise ValueError(f"flaky: after must be an integer of at least 0, got {after!r}")
    is_class = isinstance(error, type) and issubclass(error, BaseException)
    if not is_class and not isinstance(error, (str, BaseException)):
        raise TypeError(f"flaky: error must be a message or an exception, got {type(error).__name__}")
    return Flaky(fn, after, error)
