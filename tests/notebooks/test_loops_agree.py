"""What the students of sessions 6 and 7 write, and what the next session imports, do the same."""

import random
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from course.budgets import Budgets
from course.errors import ToolError, UnavailableError
from course.flaky import flaky
from course.loops.budgeted import run
from course.models import ModelReply, ScriptedModel, ToolCall
from course.retries import FailurePolicy, Retry, Timeouts, attempt_call
from course.tool import Tool
from course.tools import ToolRegistry
from course.transcript import Transcript
from grader.authoring.source import SOLUTIONS, namespace_before, read_session, run_text

OPEN = {"type": "object"}
STRICT = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


@cache
def written_by_a_student(exercise_id: str) -> dict[str, Any]:
    """The namespace of a notebook after the answer of `exercise_id`, solved."""
    source = read_session(SOLUTIONS / f"{exercise_id[:4]}.py")
    namespace = namespace_before(source, exercise_id)
    for cell in source.of(exercise_id, "answer"):
        run_text(cell.solved, namespace, exercise_id)
    return namespace


@pytest.fixture(scope="module")
def session6() -> dict[str, Any]:
    return written_by_a_student("ch06-e5")


def turns_of(rng: random.Random) -> list[Any]:
    """A random script: turns with and without calls and DONE, long and short, and now and then an error."""

    def turn() -> Any:
        text = "x" * rng.choice([0, 1, 8, 30]) + rng.choice(["", "", "", "DONE"])
        calls = [
            ToolCall(rng.choice(["look", "stop"]), {"n": rng.randint(1, 9)}) for _ in range(rng.choice([0, 1, 1, 2]))
        ]
        return rng.choice([ModelReply(text, calls)] * 9 + [{"text": text}, TimeoutError("no answer")])

    return [turn() for _ in range(6)]


def scripted(turns: list[Any]) -> Any:
    waiting = iter(turns)

    def model(messages: object, manifest: object) -> Any:
        turn = next(waiting)
        if isinstance(turn, Exception):
            raise turn
        return turn

    return model


@pytest.mark.parametrize("seed", range(300))
def test_the_budgeted_loop_of_session_6_ends_like_the_courses_own(session6: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    turns = turns_of(rng)
    limits = Budgets(
        max_steps=rng.randint(0, 6),
        max_tokens=rng.choice([None, 0, 5, 12]),
        stop_sentinel=rng.choice([None, "DONE"]),
        max_cost=rng.choice([None, 0, 7, 25]),
        turn_price=rng.choice([0, 5]),
        call_price=rng.choice([0, 1]),
    )
    stops_at = rng.randint(1, 9)

    def functions(switch: threading.Event) -> dict[str, Any]:
        def stop(n: int) -> int:
            if n == stops_at:
                switch.set()
            return n

        return {"look": lambda n: [n], "stop": stop}

    mine, theirs = threading.Event(), threading.Event()
    records = session6["run"]("task", scripted(turns), functions(mine), limits, killed=mine.is_set)
    transcript = Transcript()
    registry = ToolRegistry(Tool(name, "A tool.", STRICT, fn) for name, fn in functions(theirs).items())
    stop = run("task", scripted(turns), registry, limits, transcript=transcript, kill=theirs)

    assert [record["kind"] for record in records] == [record["kind"] for record in transcript.records]
    for record, whole in zip(records[1:-1], transcript.records[1:-1], strict=True):
        assert record["payload"].items() <= whole["payload"].items()
    ended = records[-1]["payload"]
    for field in ("reason", "answer", "steps", "calls", "tokens", "cost"):
        assert ended[field] == getattr(stop, field), field
    if stop.reason == "model_error":
        assert ended["detail"] == stop.detail


# ----------------------------------------------------------------------------------------------------------- session 7
def breaking(error: BaseException) -> Any:
    def fn(**_: object) -> object:
        raise error

    return fn


def tools() -> dict[str, Tool]:
    made = [
        Tool("steady", "Answers.", OPEN, lambda **_: {"rows": [1, None]}, idempotent=True),
        Tool("strict", "Wants a number.", STRICT, lambda n: n, idempotent=True),
        Tool("refuses", "Refuses.", OPEN, breaking(ToolError("refuses", "no")), idempotent=True),
        Tool("away", "Is away.", OPEN, breaking(UnavailableError("away", "later")), idempotent=True),
        Tool("card", "Charges.", OPEN, breaking(UnavailableError("card", "no reply"))),
        Tool("broken", "Is broken.", OPEN, breaking(KeyError("a"))),
        Tool("odd", "Returns a set.", OPEN, lambda **_: {1, 2}),
        Tool("nan", "Returns no number.", OPEN, lambda **_: [float("nan")]),
    ]
    return {tool.name: tool for tool in made}


CALLS = [ToolCall(name, {}) for name in tools()] + [
    ToolCall("strict", {"n": 1}),
    ToolCall("strict", {"n": "1", "m": 2}),
    ToolCall("missing", {"n": 1}),
]
every_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.name}-{len(call.args)}")


@every_call
def test_an_attempt_of_session_7_has_the_outcome_of_the_courses_own(call: ToolCall) -> None:
    outcome = written_by_a_student("ch07-e2")["attempt"](tools(), call)
    own = attempt_call(ToolRegistry(tools().values()), call)
    assert outcome["ok"] == own.ok
    assert outcome.get("result") == own.result
    assert outcome.get("error") == own.error
    assert outcome.get("retryable", False) == own.retryable


@pytest.mark.parametrize("took", [4, 5, 6])
def test_a_late_result_of_session_7_is_late_for_the_courses_own(took: float) -> None:
    def ticking() -> Iterator[float]:
        yield from (100.0, 100.0 + took)

    slow = {"steady": tools()["steady"]}
    call = ToolCall("steady", {})
    outcome = written_by_a_student("ch07-e5")["attempt"](slow, call, {"steady": 5}, ticking().__next__)
    own = attempt_call(ToolRegistry(slow.values()), call, Timeouts({"steady": 5}, ticking().__next__))
    assert (outcome["ok"], outcome.get("error"), outcome.get("late", False)) == (own.ok, own.error, own.late)
    assert outcome.get("retryable", False) == own.retryable


@every_call
def test_retries_of_session_7_make_the_records_and_waits_of_the_courses_own(call: ToolCall) -> None:
    mine, theirs = [], []
    records = written_by_a_student("ch07-e4")["call_with_retries"](tools(), call, 3, 99, mine.append)
    transcript, policy = Transcript(), FailurePolicy(retry=Retry(3, theirs.append))
    model = ScriptedModel([ModelReply("", [call]), ModelReply("done")])
    run("task", model, ToolRegistry(tools().values()), policy=policy, transcript=transcript)
    assert [record["payload"] for record in records] == [
        record["payload"] for record in transcript.records if record["kind"] == "tool"
    ]
    assert mine == theirs


@pytest.mark.parametrize("seed", range(100))
def test_the_loop_of_session_7_gives_up_where_the_courses_own_does(seed: int) -> None:
    rng = random.Random(seed)
    turns = [ModelReply("x", rng.choices(CALLS, k=rng.randint(1, 3))) for _ in range(6)] + [ModelReply("done")]
    allowed = rng.choice([None, 1, 2, 3])
    namespace = written_by_a_student("ch07-e3")
    records = namespace["run"]("task", ScriptedModel(turns), tools(), allowed)
    transcript = Transcript()
    registry = ToolRegistry(tools().values())
    stop = run("task", ScriptedModel(turns), registry, policy=FailurePolicy(allowed), transcript=transcript)
    assert [record["kind"] for record in records] == [record["kind"] for record in transcript.records]
    ended = records[-1]["payload"]
    assert (ended["reason"], ended["answer"], ended["steps"]) == (stop.reason, stop.answer, stop.steps)
    if stop.reason == "too_many_failures":
        assert ended["detail"] == stop.detail


def test_a_flaky_tool_of_session_7_fails_where_the_courses_own_does() -> None:
    def marks(make: Any) -> str:
        tool, seen = make(lambda n: n, 3, "gone"), ""
        for n in range(6):
            try:
                seen += str(tool(n=n))
            except ToolError as error:
                seen += f"[{error}]"
        return seen

    assert marks(written_by_a_student("ch07-e1")["flaky"]) == marks(flaky) == "012[gone][gone][gone]"
