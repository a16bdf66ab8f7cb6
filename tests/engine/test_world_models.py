"""What a check has of models, contracts and time: counted models, tools with a schema, a clock that it moves."""

from typing import Any

import pytest

from course.errors import ToolError, UnavailableError
from course.models import ModelReply, ToolCall
from grader.engine.expect import Failure, expect
from grader.engine.student import InProcessStudent, Stopped
from grader.engine.world import World


def student(**names: Any) -> InProcessStudent:
    return InProcessStudent(names, tuple(names))


def test_a_model_gives_its_replies_in_order_and_counts_them() -> None:
    world = World("seed")
    turn, last = world.turn(world.call(world.tool())), world.turn(text="done")
    model = world.model(turn, lambda: last)
    assert [model([], []), model([{"role": "user"}], [])] == [turn, last]
    expect(model.turns()).equals(2)
    expect(model.shown(2)).equals([{"role": "user"}])


def test_a_check_sees_the_manifest_that_a_model_was_given() -> None:
    model = World("seed").model(ModelReply("one"), ModelReply("two"))
    model([], [{"name": "look_up"}])
    model([])
    expect(model.offered(1)).equals([{"name": "look_up"}])
    for turn in (2, 3):
        with pytest.raises(Failure, match=f"turn {turn} of the model, with a manifest"):
            model.offered(turn)


def test_a_model_that_is_asked_too_often_says_so() -> None:
    model = World("seed").model()
    with pytest.raises(RuntimeError, match="asked again after its last reply"):
        model([], [])
    with pytest.raises(Failure, match="turn 2 of the model"):
        model.shown(2)


def test_a_turn_stands_in_the_ledger_and_is_no_call_of_a_tool() -> None:
    world = World("seed")
    lookup = world.tool()
    world.model(world.turn(world.call(lookup), text="let me see"))([], [])
    lookup(topic="tides")
    assert (
        str(world.ledger.entries[0]) == f"model({{'turn': 1}}) -> {{'asks': ['{lookup.name}'], 'text': 'let me see'}}"
    )
    expect(world.ledger.calls()).equals(1)
    assert [step["tool"] for step in world.ledger.steps()] == [lookup.name]


def test_a_reply_crosses_as_what_it_is_and_an_exception_as_its_class() -> None:
    world = World("seed")
    made = student(answer=lambda model: model([], []), kind=lambda model: type(model([], [])).__name__)
    made.enter(world)
    turn = world.turn({"tool": "add", "args": {"a": 1}}, text="now")
    assert made.answer(world.model(turn)).plain == ModelReply("now", [ToolCall("add", {"a": 1})])
    expect(made.kind(world.model({"text": "now"}))).equals("dict")
    with pytest.raises(Stopped) as stopped:
        made.answer(world.model(KeyboardInterrupt()))
    assert isinstance(stopped.value.error, KeyboardInterrupt)


def test_an_unavailable_error_crosses_as_itself_and_not_as_any_tool_error() -> None:
    def caught(tool: Any) -> str:
        try:
            tool()
        except UnavailableError:
            return "unavailable"
        except ToolError:
            return "refused"
        return "answered"

    world = World("seed")
    made = student(caught=caught)
    made.enter(world)
    expect(made.caught(world.tool(after=0, error=UnavailableError("gone")))).equals("unavailable")
    expect(made.caught(world.tool(after=0, error=ToolError("no")))).equals("refused")


def test_a_contract_is_a_tool_whose_calls_are_counted() -> None:
    world = World("seed")
    lookup = world.tool()
    made = world.contract(lookup, idempotent=True, page="integer", topic="string")
    assert world.contracts == {lookup.name: made}
    assert made.idempotent
    assert made.schema["required"] == ["page", "topic"]
    made.fn(page=1, topic="tides")
    expect(world.ledger.arguments(lookup)).equals([{"page": 1, "topic": "tides"}])


def test_outcomes_come_one_by_one_and_then_words() -> None:
    world = World("seed")
    tool = world.tool(world.outcomes(UnavailableError("gone"), "there"))
    with pytest.raises(UnavailableError):
        tool()
    assert tool() == "there"
    assert isinstance(tool(), str)


def test_a_clock_moves_when_something_says_so() -> None:
    clock = World("seed").clock()
    start = clock()
    assert clock() == start
    assert clock.taking(2.5, "late") == "late"
    clock.sleep(1)
    assert clock() - start == 3.5
    expect(clock.sleeps()).equals([1.0])


def test_each_takes_one_item_of_every_member() -> None:
    made = student(records=lambda: [{"kind": "task"}, {"kind": "stop"}, {}])
    made.enter(World("seed"))
    with pytest.raises(Failure, match=r"\[2\] with 'kind'"):
        made.records().each("kind")
