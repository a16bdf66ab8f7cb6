"""A deadline for Python code that no alarm can ring for: Pyodide, Windows, threads. It looks at the clock on events."""

import opcode
import sys
import threading
import time
from collections.abc import Callable
from types import CodeType
from typing import Any

# Bound here, at import: student code may replace the names in the modules that they come from.
_monotonic = time.monotonic
_sleep = time.sleep
_ident = threading.get_ident
_monitoring: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
AVAILABLE = _monitoring is not None
_TURN = opcode.opmap.get("JUMP_BACKWARD")


class Watch:
    """A context manager that raises what `stop` makes, in the enclosed code, once `seconds` of wall clock have passed.

    It raises again at every turn of a loop and every start of a function, until the code ends: what swallows the
    exception is stopped all the same. A loop inside C code has neither and is not stopped; a `time.sleep` that would
    outlast the limit is not begun. As a value it gives a function that tells whether the limit was reached. An
    enclosing `Watch` is paused meanwhile. It takes one of the tools of `sys.monitoring` while it runs.
    """

    def __init__(self, seconds: float, stop: Callable[[], BaseException]) -> None:
        self._seconds = seconds
        self._stop = stop
        self._rang = False

    def __enter__(self) -> Callable[[], bool]:
        self._outer = _watches.get(_ident())
        if not _watches:
            _begin()
        self._began = _monotonic()
        self._deadline = self._began + self._seconds
        _watches[_ident()] = self
        return lambda: self._rang

    def __exit__(self, *_: object) -> None:
        # First of all, and in this file, at whose code `_look` never raises: it must not stop its own end.
        del _watches[_ident()]
        if self._outer is not None:
            self._outer._deadline += _monotonic() - self._began
            _watches[_ident()] = self._outer
        elif not _watches:
            _end()

    def look(self, ahead: float = 0.0) -> None:
        """Raise if the time is over, or will be `ahead` seconds from now."""
        if _monotonic() + ahead > self._deadline:
            self._rang = True
            raise self._stop()


_watches: dict[int, Watch] = {}  # the innermost of each thread
_turns: dict[tuple[CodeType, int], bool] = {}  # which jumps are the turn of a loop
_tool = -1


def _begin() -> None:
    global _tool
    events = _monitoring.events
    _tool = next(number for number in range(5, -1, -1) if _monitoring.get_tool(number) is None)
    _monitoring.use_tool_id(_tool, "time limit")
    _monitoring.register_callback(_tool, events.PY_START, _look)
    _monitoring.register_callback(_tool, events.PY_RESUME, _look)
    _monitoring.register_callback(_tool, events.JUMP, _look_at_jump)
    _monitoring.register_callback(_tool, events.CALL, _look_at_call)
    _monitoring.set_events(_tool, events.PY_START | events.PY_RESUME | events.JUMP | events.CALL)


def _end() -> None:
    _monitoring.set_events(_tool, 0)
    _monitoring.free_tool_id(_tool)
    _turns.clear()


def _look(code: CodeType, *_: object) -> None:
    watch = _watches.get(_ident())
    if watch is not None and code.co_filename != __file__:
        watch.look()


def _look_at_jump(code: CodeType, offset: int, _destination: int) -> None:
    # Only where Python itself looks for an interrupt. Other jumps do not expect to raise: one behind an `except` would
    # leave a `with` without its end.
    turn = _turns.get((code, offset))
    if turn is None:
        turn = _turns[code, offset] = code.co_code[offset] == _TURN
    if turn:
        _look(code)


def _look_at_call(code: CodeType, _offset: int, called: object, first: object) -> None:
    if called is _sleep and isinstance(first, int | float):
        watch = _watches.get(_ident())
        if watch is not None:
            watch.look(first)
