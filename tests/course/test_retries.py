"""Failing tools: giving up after so many in a row, trying again where it is safe, and answers that come late."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.errors import ToolError
from course.flaky import flaky
from course.loops.budgeted import Budgets, Stop, run
from course.models import ModelReply, ScriptedModel, ToolCall
from course.retries import FailurePolicy, Retry, Timeouts, UnavailableError, attempt_call
from course.tools import Tool, ToolRegistry
from course.transcript import Transcript, verify_records

NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}


class Clock:
    """A clock that moves only when it is told to, and a sleep that moves it and keeps count."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Scripted:
    """A tool that does the next thing of its list: raises it when it is an exception, returns it otherwise."""

    def __init__(self, *outcomes: Any) -> None:
        self.outcomes, self.calls = list(outcomes), 0

    def __call__(self) -> Any:
        outcome = self.outcomes[self.calls]
        self.calls += 1
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def registry(fn: Any, idempotent: bool = True) -> ToolRegistry:
    return ToolRegistry([Tool("work", "Work.", NOTHING, fn, idempotent=idempotent)])


def calls_then_answer(names: list[str]) -> ScriptedModel:
    return ScriptedModel([ModelReply("go", [ToolCall(name) for name in names]), ModelReply("end")])


def played(model: ScriptedModel, tools: ToolRegistry, **options: Any) -> tuple[Stop, list[dict[str, Any]]]:
    transcript = Transcript()
    stop = run("t", model, tools, transcript=transcript, **options)
    assert verify_records(transcript.records) == []
    return stop, [record["payload"] for record in transcript.records if record["kind"] == "tool"]


def no_sleep(seconds: float) -> None:
    raise AssertionError(f"slept for {seconds} s")


BUSY = UnavailableError("work: the index is busy")


# --- stop after N in a row --------------------------------------------------------------------------------------------


def test_so_many_failures_in_a_row_end_the_run_before_the_next_call() -> None:
    tool = Scripted(*[ToolError("work: no")] * 9)
    policy = FailurePolicy(stop_after=3)
    stop, attempts = played(calls_then_answer(["work"] * 9), registry(tool), policy=policy)
    assert (stop.reason, stop.calls, tool.calls, len(attempts)) == ("too_many_failures", 3, 3, 3)
    assert stop.answer is None and stop.detail == "3 failed calls in a row, the last one: work: no"


def test_a_success_starts_the_count_again() -> None:
    no = ToolError("work: no")
    tool = Scripted(no, no, "yes", no, no, "yes")
    stop, _ = played(calls_then_answer(["work"] * 6), registry(tool), policy=FailurePolicy(stop_after=3))
    assert (stop.reason, tool.calls) == ("no_tool_calls", 6)


def test_the_count_goes_on_from_one_turn_to_the_next() -> None:
    tool = Scripted(*[ToolError("work: no")] * 9)
    model = ScriptedModel([ModelReply("again", [ToolCall("work")])] * 9)
    stop, _ = played(model, registry(tool), policy=FailurePolicy(stop_after=4), budgets=Budgets(max_steps=9))
    assert (stop.reason, stop.steps) == ("too_many_failures", 4)


def test_unknown_names_and_refused_arguments_count_though_nothing_ran() -> None:
    tool = Scripted("yes", "yes")
    model = ScriptedModel([ModelReply("go", [ToolCall("none"), ToolCall("work", {"extra": 1}), ToolCall("none")])])
    stop, _ = played(model, registry(tool), policy=FailurePolicy(stop_after=3))
    assert (stop.reason, tool.calls) == ("too_many_failures", 0)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(pattern=st.lists(st.sampled_from(["yes", "no", "unknown"]), max_size=10), limit=st.integers(1, 4))
def test_the_run_ends_exactly_at_the_first_streak_of_that_length(pattern: list[str], limit: int) -> None:
    streak, due = 0, None
    for index, outcome in enumerate(pattern):
        streak = 0 if outcome == "yes" else streak + 1
        if streak == limit:
            due = index + 1
            break
    tool = Scripted(
        *["yes" if outcome == "yes" else ToolError("work: no") for outcome in pattern if outcome != "unknown"]
    )
    names = ["none" if outcome == "unknown" else "work" for outcome in pattern]
    stop, _ = played(calls_then_answer(names), registry(tool), policy=FailurePolicy(stop_after=limit))
    assert (stop.reason == "too_many_failures") == (due is not None)
    assert stop.calls == (due if due is not None else len(pattern))


def test_without_a_limit_failures_are_fed_back_for_ever() -> None:
    tool = Scripted(*[ToolError("work: no")] * 50)
    stop, _ = played(calls_then_answer(["work"] * 50), registry(tool))
    assert (stop.reason, tool.calls) == ("no_tool_calls", 50)


# --- retries ----------------------------------------------------------------------------------------------------------


def test_an_idempotent_tool_that_was_unavailable_is_tried_again_and_every_attempt_is_recorded() -> None:
    clock, tool = Clock(), Scripted(BUSY, BUSY, "there")
    policy = FailurePolicy(retry=Retry(attempts=3, sleep=clock.sleep, pause=0.5))
    stop, attempts = played(calls_then_answer(["work"]), registry(tool), policy=policy)
    assert [attempt["attempt"] for attempt in attempts] == [1, 2, 3]
    assert [attempt["ok"] for attempt in attempts] == [False, False, True]
    assert attempts[0]["error"] == "work: the index is busy" and attempts[2]["result"] == "there"
    assert (stop.reason, stop.calls, clock.slept) == ("no_tool_calls", 3, [0.5, 1.0])


def test_every_attempt_is_charged_and_the_cap_ends_the_retries() -> None:
    tool = Scripted(*[BUSY] * 9)
    policy = FailurePolicy(retry=Retry(attempts=9, sleep=lambda seconds: None))
    stop, attempts = played(
        calls_then_answer(["work"]), registry(tool), policy=policy, budgets=Budgets(max_cost=6, call_price=2)
    )
    assert (stop.reason, stop.cost, stop.calls, len(attempts)) == ("cost_budget", 6, 3, 3)


def test_attempts_are_all_there_are_and_the_last_failure_is_fed_back() -> None:
    clock, tool = Clock(), Scripted(BUSY, BUSY, BUSY)
    policy = FailurePolicy(retry=Retry(attempts=2, sleep=clock.sleep))
    stop, attempts = played(calls_then_answer(["work"]), registry(tool), policy=policy)
    assert (stop.reason, tool.calls, len(attempts), clock.slept) == ("no_tool_calls", 2, 2, [1.0])


def test_a_tool_that_is_not_idempotent_is_never_tried_again() -> None:
    tool = Scripted(BUSY, "charged twice")
    policy = FailurePolicy(retry=Retry(attempts=5, sleep=no_sleep))
    _, attempts = played(calls_then_answer(["work"]), registry(tool, idempotent=False), policy=policy)
    assert tool.calls == 1 and len(attempts) == 1


@pytest.mark.parametrize("error", [ToolError("work: no such page"), RuntimeError("broken"), float("nan")], ids=repr)
def test_only_a_failure_that_may_pass_is_worth_another_try(error: Any) -> None:
    tool = Scripted(error, "never")
    played(calls_then_answer(["work"]), registry(tool), policy=FailurePolicy(retry=Retry(attempts=5, sleep=no_sleep)))
    assert tool.calls == 1


def test_unknown_names_and_refused_arguments_are_not_tried_again() -> None:
    policy = FailurePolicy(retry=Retry(attempts=5, sleep=no_sleep))
    model = ScriptedModel([ModelReply("go", [ToolCall("none"), ToolCall("work", {"x": 1})]), ModelReply("end")])
    stop, attempts = played(model, registry(Scripted()), policy=policy)
    assert stop.calls == 2 and [attempt["attempt"] for attempt in attempts] == [1, 1]


def test_a_call_that_was_retried_counts_once_towards_giving_up() -> None:
    tool = Scripted(*[BUSY] * 9)
    policy = FailurePolicy(stop_after=2, retry=Retry(attempts=3, sleep=lambda seconds: None))
    stop, _ = played(calls_then_answer(["work"] * 3), registry(tool), policy=policy)
    assert (stop.reason, tool.calls) == ("too_many_failures", 6)


def test_a_kill_during_the_pause_keeps_the_next_attempt_from_running() -> None:
    class Switch:
        def __init__(self) -> None:
            self.on = False

        def is_set(self) -> bool:
            return self.on

    switch, tool = Switch(), Scripted(BUSY, "never")

    def sleep(seconds: float) -> None:
        switch.on = True

    policy = FailurePolicy(retry=Retry(attempts=2, sleep=sleep))
    stop, _ = played(calls_then_answer(["work"]), registry(tool), policy=policy, kill=switch)
    assert (stop.reason, tool.calls) == ("killed", 1)


def test_nothing_is_tried_again_unless_it_is_asked_for() -> None:
    tool = Scripted(BUSY, "never")
    played(calls_then_answer(["work"]), registry(tool))
    assert tool.calls == 1


def test_a_flaky_tool_that_goes_away_for_good_uses_up_its_attempts() -> None:
    tool = flaky(lambda: "there", after=1, error=BUSY)
    policy = FailurePolicy(retry=Retry(attempts=3, sleep=lambda seconds: None))
    stop, attempts = played(calls_then_answer(["work", "work"]), registry(tool), policy=policy)
    assert [attempt["ok"] for attempt in attempts] == [True, False, False, False] and stop.calls == 4


# --- timeouts ---------------------------------------------------------------------------------------------------------


def slow(clock: Clock, *seconds: float) -> Any:
    """A tool that takes so long, call by call."""
    waits = iter(seconds)

    def work() -> str:
        clock.now += next(waits)
        return "late news"

    return work


def test_a_late_result_is_marked_and_not_used() -> None:
    clock = Clock()
    policy = FailurePolicy(timeouts=Timeouts({"work": 5}, clock))
    shown: list[Any] = []
    script = calls_then_answer(["work"])

    def model(messages: Any, manifest: Any) -> ModelReply:
        shown.append(messages)
        return script(messages, manifest)

    transcript = Transcript()
    run("t", model, registry(slow(clock, 7.5)), policy=policy, transcript=transcript)
    error = "tool 'work' answered after 7.5 s, and its limit is 5 s"
    payload = {"name": "work", "args": {}, "attempt": 1, "ok": False, "error": error, "late": True}
    assert transcript.records[2]["payload"] == payload
    assert shown[1][-1] == {"role": "tool", "name": "work", "ok": False, "content": error}
    assert b"late news" not in transcript.to_bytes()


def test_a_result_exactly_on_time_is_in_time() -> None:
    clock = Clock()
    _, attempts = played(
        calls_then_answer(["work"]),
        registry(slow(clock, 5)),
        policy=FailurePolicy(timeouts=Timeouts({"work": 5}, clock)),
    )
    assert attempts[0]["ok"] is True and "late" not in attempts[0]


def test_the_clock_is_that_of_the_attempt_not_of_the_run() -> None:
    clock = Clock()
    _, attempts = played(
        calls_then_answer(["work"] * 4),
        registry(slow(clock, 4, 4, 4, 4)),
        policy=FailurePolicy(timeouts=Timeouts({"work": 5}, clock)),
    )
    assert all(attempt["ok"] for attempt in attempts)


def test_a_tool_without_a_limit_may_take_its_time() -> None:
    clock = Clock()
    outcome = attempt_call(registry(slow(clock, 1000)), ToolCall("work"), Timeouts({"other": 1}, clock))
    assert outcome.ok and outcome.result == "late news"


def test_a_late_answer_of_an_idempotent_tool_may_be_asked_for_again() -> None:
    clock = Clock()
    policy = FailurePolicy(retry=Retry(attempts=2, sleep=clock.sleep), timeouts=Timeouts({"work": 5}, clock))
    _, attempts = played(calls_then_answer(["work"]), registry(slow(clock, 9, 1)), policy=policy)
    assert [(attempt["ok"], attempt.get("late")) for attempt in attempts] == [(False, True), (True, None)]


def test_a_late_answer_counts_as_a_failure_in_a_row() -> None:
    clock = Clock()
    policy = FailurePolicy(stop_after=2, timeouts=Timeouts({"work": 5}, clock))
    stop, _ = played(calls_then_answer(["work"] * 3), registry(slow(clock, 9, 9, 9)), policy=policy)
    assert (stop.reason, stop.calls) == ("too_many_failures", 2)


def test_an_error_that_comes_late_keeps_its_own_words() -> None:
    clock = Clock()

    def refuse() -> None:
        clock.now += 9
        raise ToolError("work: no such page")

    outcome = attempt_call(registry(refuse), ToolCall("work"), Timeouts({"work": 5}, clock))
    assert (outcome.error, outcome.late) == ("work: no such page", False)
