"""The deadline of platforms without an alarm; it needs `sys.monitoring`, which Python has from 3.12 on."""

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from grader.engine import watch
from grader.engine.watch import Watch

pytestmark = pytest.mark.skipif(not watch.AVAILABLE, reason="Python 3.11 has no sys.monitoring: nothing to watch with")


class Over(BaseException):
    """What the limit raises here."""


def endless() -> None:
    while True:
        pass


def swallows_and_returns() -> None:
    try:
        endless()
    except Over:
        return


def swallows_for_ever() -> None:
    while True:
        swallows_and_returns()


def stopped(work: Callable[[], object], seconds: float = 0.05) -> bool:
    """Whether `work` was stopped, and nothing of the limit is left."""
    try:
        with Watch(seconds, Over) as reached:
            work()
    except Over:
        assert reached()
        return True
    finally:
        monitoring: Any = sys.__dict__["monitoring"]
        assert all(monitoring.get_tool(number) is None for number in range(6))
    return reached()


@pytest.mark.parametrize("work", [endless, swallows_and_returns, swallows_for_ever])
def test_python_code_does_not_outlive_it(work: Callable[[], object]) -> None:
    assert stopped(work)


def test_code_that_ends_in_time_is_left_alone() -> None:
    assert not stopped(lambda: sum(range(10)), seconds=30)


def test_a_sleep_that_would_outlast_it_is_not_begun() -> None:
    began = time.monotonic()
    assert stopped(lambda: time.sleep(600), seconds=300)
    assert time.monotonic() - began < 300


def test_the_outer_of_two_goes_on_after_the_inner() -> None:
    def inner() -> None:
        assert stopped_inside()

    def stopped_inside() -> bool:
        try:
            with Watch(0.05, Over):
                endless()
        except Over:
            return True

    with Watch(30, Over) as reached:
        inner()
    assert not reached()


def test_another_thread_has_a_limit_of_its_own() -> None:
    ended: list[str] = []

    def other() -> None:
        try:
            with Watch(0.05, Over):
                endless()
        except Over:
            ended.append("other")

    thread = threading.Thread(target=other)
    with Watch(30, Over) as reached:
        thread.start()
        thread.join()
    assert ended == ["other"]
    assert not reached()
