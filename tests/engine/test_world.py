"""The world of a case: random but repeatable, and a ledger that knows what happened."""

import re
from typing import Any

import pytest

from course.errors import ToolError
from grader.engine.world import Call, CountedTool, Ledger, World


def built(seed: str) -> list[Any]:
    world = World(seed)
    tool = world.tool()
    return [
        tool.name, world.word(), world.words(4), world.number(1, 10**9), world.answer(), world.call(tool),
        world.calls(tool, 3), world.made_receipt(2), tool(topic="x"), world.name(),
    ]  # fmt: skip


def test_the_same_seed_makes_the_same_world_and_another_seed_another() -> None:
    assert built("a") == built("a")
    assert all(one != other for one, other in zip(built("a"), built("b"), strict=True))


def test_a_hundred_tools_have_a_hundred_names() -> None:
    world = World("seed")
    names = [world.tool().name for _ in range(100)]
    assert len(set(names)) == 100
    assert list(world.tools) == names
    assert all(re.fullmatch(r"[a-z]+_[a-z]+", name) for name in names)


def test_words_carry_a_number_so_that_no_two_texts_are_alike() -> None:
    world = World("seed")
    texts = [world.words() for _ in range(200)]
    assert len(set(texts)) == 200
    assert all(re.fullmatch(r"[a-z]+ [a-z]+ [a-z]+ \d{3,4}", text) for text in texts)


def test_a_number_lies_between_its_bounds_both_included() -> None:
    world = World("seed")
    assert {world.number(1, 3) for _ in range(100)} == {1, 2, 3}


def test_several_calls_of_a_tool_differ_in_their_arguments() -> None:
    world = World("seed")
    calls = world.calls(world.tool(), 20)
    assert len({str(call["args"]) for call in calls}) == 20


# ----------------------------------------------------------------------------------------------------------- tools
def test_a_call_is_in_the_ledger_with_a_copy_of_its_arguments_and_its_result() -> None:
    world = World("seed")
    answer = ["a"]
    tool = world.tool(lambda tags: answer)
    tags = ["x"]
    tool(tags=tags)
    tags.append("later")
    answer.append("later")
    assert world.ledger.entries == [Call(tool.name, {"tags": ["x"]}, ["a"])]
    assert str(world.ledger.entries[0]) == f"{tool.name}({{'tags': ['x']}}) -> ['a']"
    assert world.ledger.steps() == [{"tool": tool.name, "args": {"tags": ["x"]}, "result": ["a"]}]


def test_a_tool_that_goes_away_raises_under_its_own_name_and_is_no_step() -> None:
    world = World("seed")
    tool = world.tool(after=1, error="the index went away")
    tool(n=1)
    with pytest.raises(ToolError, match=f"^{tool.name}: the index went away$"):
        tool(n=2)
    assert [call.error for call in world.ledger.entries] == [None, f"ToolError: {tool.name}: the index went away"]
    assert len(world.ledger.steps()) == 1
    assert world.ledger.calls(tool).plain == 2


def test_a_tool_raises_the_exception_that_it_was_given() -> None:
    world = World("seed")
    with pytest.raises(KeyError):
        world.tool(after=0, error=KeyError("x"))()
    with pytest.raises(ValueError):
        world.tool(after=0, error=ValueError())()
    assert [call.error for call in world.ledger.entries] == ["KeyError: 'x'", "ValueError"]


def test_the_ledger_counts_by_tool_and_leaves_out_what_was_late() -> None:
    ledger = Ledger()
    one, other = (CountedTool(name, ledger, lambda **_: None) for name in ("one", "other"))
    one(n=1)
    other(n=2)
    ledger.entries.append(Call("one", {"n": 3}, late=True))
    assert (ledger.calls().plain, ledger.calls(one).plain, ledger.calls(other).plain) == (2, 1, 1)
    assert ledger.arguments(one).plain == [{"n": 1}]
    assert ledger.calls(one).place == "calls that reached one"
    assert [str(call) for call in ledger.late()] == ["one({'n': 3}) -> called after the loop had returned"]


# ----------------------------------------------------------------------------------------------------------- admission
def test_a_call_is_admitted_while_its_own_request_is_open_and_never_before_or_after() -> None:
    world = World("seed")
    tool = world.tool()
    run = world.open(1)
    assert world.admit(run, tool, [], {"n": 1}) is None
    assert "closed its ledger" in str(world.admit("1-forged", tool, [], {"n": 2}))
    world.close_window()
    assert "closed its ledger" in str(world.admit(run, tool, [], {"n": 3}))
    again = world.open(2)
    assert "closed its ledger" in str(world.admit(run, tool, [], {"n": 4}))
    world.close()
    assert "closed its ledger" in str(world.admit(again, tool, [], {"n": 5}))
    assert [call.args["n"] for call in world.ledger.late()] == [2, 3, 4, 5]


@pytest.mark.parametrize("forged", [None, True, 0, "", [], {}])
def test_no_forged_run_is_the_open_one(forged: object) -> None:
    world = World("seed")
    world.open(1)
    assert world.admit(forged, world.tool(), [], {}) is not None
    world.close()
    assert world.admit(forged, world.tool(), [], {}) is not None


def test_more_calls_than_allowed_are_refused_and_late_ones_do_not_fill_the_memory() -> None:
    world = World("seed", max_calls=3)
    tool = world.tool()
    run = world.open(1)
    for n in range(3):
        assert world.admit(run, tool, [], {"n": n}) is None
        tool(n=n)
    assert not world.over_limit
    assert world.admit(run, tool, [], {"n": 3}) == "more than 3 tool calls in one case"
    assert world.over_limit
    for n in range(100):
        world.admit("old", tool, [], {"n": n})
    assert len(world.ledger.entries) == 3
