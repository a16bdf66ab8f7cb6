"""Limits around student code: a deadline that Python code cannot outlive, and the two signals of a broken limit."""

import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from types import FrameType
from typing import Any

from grader.engine import watch

# Bound here, at import: student code may replace the names in the modules that they come from.
_monotonic = time.monotonic
_settrace = sys.settrace
_gettrace = sys.gettrace
_main_thread = threading.main_thread
_current_thread = threading.current_thread
raw_signals: Any = importlib.import_module("_signal")  # `signal` makes an enum of each number that it returns
_setitimer: Any = getattr(raw_signals, "setitimer", None)
_handle = raw_signals.signal
_REAL = getattr(raw_signals, "ITIMER_REAL", 0)
_SIGALRM = getattr(raw_signals, "SIGALRM", 0)
_AGAIN = 0.25  # seconds after which the alarm rings again in code that swallowed it


class TimeLimit(BaseException):
    """The time for this piece of student code is over. A BaseException, so that `except Exception` lets it pass."""


class CallLimit(BaseException):
    """More tool calls than one case allows. A BaseException for the same reason."""


def time_limit(seconds: float) -> AbstractContextManager[Callable[[], bool]]:
    """Raise `TimeLimit` in the enclosed code after `seconds` of wall clock, and again until it ends.

    Gives a function that tells whether the limit was reached, because code may swallow the exception and return.
    Uses an alarm where the platform has one and this is the main thread. Elsewhere (Windows, Pyodide, worker threads)
    it looks at the clock while Python code runs: there a loop in Python code is stopped, one inside C code is not. In
    Python 3.11 it does so by a trace function, which code that swallows the stop gets rid of.
    An enclosing `time_limit` is paused meanwhile, except by a trace function.
    """
    if _setitimer is not None and _current_thread() is _main_thread():
        return _Alarm(seconds)
    if watch.AVAILABLE:
        return watch.Watch(seconds, partial(_over, seconds))
    return _trace(seconds)


def _over(seconds: float) -> TimeLimit:
    return TimeLimit(f"not finished after {seconds:g} s")


class _Alarm:
    """`time_limit` by an alarm of the main thread. Each call of a student's has its own, so it must cost little."""

    __slots__ = ("_armed", "_outer", "_rang", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._armed = True
        self._rang = False

    def __enter__(self) -> Callable[[], bool]:
        left = _setitimer(_REAL, 0)
        self._outer = (*left, _handle(_SIGALRM, self._ring))
        _setitimer(_REAL, self._seconds, _AGAIN)
        return self._reached

    def __exit__(self, *_: object) -> None:
        self._armed = False
        left, again, handler = self._outer
        _setitimer(_REAL, 0)
        _handle(_SIGALRM, handler)
        if left:
            _setitimer(_REAL, left, again)

    def _reached(self) -> bool:
        return self._rang

    def _ring(self, _signal: int, frame: FrameType | None) -> None:
        if not self._armed:
            return
        self._rang = True
        if frame is None or frame.f_code not in _OWN_CODE:  # it must not stop its own beginning and end
            raise _over(self._seconds)


_OWN_CODE = (_Alarm.__enter__.__code__, _Alarm.__exit__.__code__)


@contextmanager
def _trace(seconds: float) -> Iterator[Callable[[], bool]]:
    deadline = _monotonic() + seconds
    state = {"rang": False}

    def look(_frame: FrameType, _event: str, _arg: Any) -> Any:
        if _monotonic() > deadline:
            state["rang"] = True
            raise _over(seconds)
        return look

    before = _gettrace()
    _settrace(look)
    try:
        yield lambda: state["rang"]
    finally:
        _settrace(before)
