"""Limits around student code: a deadline that Python code cannot outlive, and the two signals of a broken limit."""

import signal
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
    if hasattr(signal, "setitimer") and _current_thread() is _main_thread():
        return _alarm(seconds)
    if watch.AVAILABLE:
        return watch.Watch(seconds, partial(_over, seconds))
    return _trace(seconds)


def _over(seconds: float) -> TimeLimit:
    return TimeLimit(f"not finished after {seconds:g} s")


@contextmanager
def _alarm(seconds: float) -> Iterator[Callable[[], bool]]:
    state = {"armed": True, "rang": False}

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if state["armed"]:
            state["rang"] = True
            raise _over(seconds)

    outer_left, outer_again = signal.setitimer(signal.ITIMER_REAL, 0)
    outer_handler = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield lambda: state["rang"]
    finally:
        state["armed"] = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_handler)
        if outer_left:
            signal.setitimer(signal.ITIMER_REAL, outer_left, outer_again)


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
