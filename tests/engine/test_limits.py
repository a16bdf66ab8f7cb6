"""Deadlines: by an alarm where there is one, by a trace function elsewhere; they nest and leave nothing behind."""

import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any

import pytest

from grader.engine import limits
from grader.engine.limits import CallLimit, TimeLimit, time_limit

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this platform has no alarm")
Limit = Callable[[float], AbstractContextManager[Callable[[], bool]]]
both = pytest.mark.parametrize("limit", [limits._Alarm, limits._trace], ids=["alarm", "trace"])


def endless() -> None:
    while True:
        pass


@both
def test_an_endless_loop_is_stopped(limit: Limit) -> None:
    with pytest.raises(TimeLimit, match=r"not finished after 0\.05 s"), limit(0.05):
        endless()


@both
def test_code_that_ends_in_time_is_left_alone(limit: Limit) -> None:
    with limit(5) as reached:
        value = sum(range(10))
    assert value == 45
    assert not reached()


@both
def test_code_that_swallows_the_stop_and_returns_is_known_all_the_same(limit: Limit) -> None:
    with limit(0.05) as reached, suppress(BaseException):
        endless()
    assert reached()


def test_the_alarm_rings_again_in_code_that_swallowed_it() -> None:
    rings = 0
    with pytest.raises(TimeLimit), time_limit(0.05):
        while rings < 2:
            try:
                endless()
            except TimeLimit:
                rings += 1
        endless()
    assert rings == 2


@both
def test_except_exception_does_not_stop_the_stop(limit: Limit) -> None:
    def f() -> None:
        try:
            endless()
        except Exception:
            pytest.fail("it was caught")

    with pytest.raises(TimeLimit), limit(0.05):
        f()
    assert not issubclass(TimeLimit, Exception)
    assert not issubclass(CallLimit, Exception)


def test_the_inner_of_two_limits_stops_the_inner_code_alone() -> None:
    with time_limit(30) as outer:
        with pytest.raises(TimeLimit), time_limit(0.05):
            endless()
        left, _ = signal.getitimer(signal.ITIMER_REAL)
        assert 0 < left <= 30
    assert not outer()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_outer_of_two_limits_goes_on_after_the_inner() -> None:
    with pytest.raises(TimeLimit, match=r"after 0\.1 s"), time_limit(0.1):
        with time_limit(30):
            pass
        endless()


def test_nothing_is_left_of_an_alarm() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with suppress(TimeLimit), time_limit(0.05):
        endless()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_nothing_is_left_of_a_trace_function_and_the_one_before_is_back() -> None:
    def before(_frame: Any, _event: str, _arg: Any) -> None:
        return None

    kept = sys.gettrace()
    sys.settrace(before)
    try:
        with suppress(TimeLimit), limits._trace(0.05):
            endless()
        assert sys.gettrace() is before
    finally:
        sys.settrace(kept)


def test_student_code_that_replaces_the_clock_gains_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    monkeypatch.setattr("sys.settrace", lambda _function: None)
    with pytest.raises(TimeLimit), limits._trace(0.05):
        endless()
