"""Verifiers: the schema before the act, the headroom after it, and the numbers of an answer."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.calls import InvalidArgumentsError, call_tool
from course.models import Decision, ToolCall
from course.toolbox import toolbox
from course.tools import Tool, ToolRegistry, UnknownToolError
from course.verifiers import (
    BudgetVerifier,
    GroundedVerifier,
    Judgment,
    RepeatVerifier,
    SchemaVerifier,
    StepContext,
    default_verifiers,
    numbers,
)

TOOLS = toolbox(Path())


def context(decision: Decision, step: int = 0, max_steps: int = 8, seen: Any = None) -> StepContext:
    """A step whose run has one earlier step, which observed `seen`; none when it is None."""
    history = [] if seen is None else [{"decision": {}, "observation": {"ok": True, "content": seen}}]
    return StepContext("the task", step, max_steps, decision, None, history)


def calling(name: str, **args: Any) -> StepContext:
    return context(Decision("t", tool_call=ToolCall(name, args)))


def answering(text: str, seen: Any = None) -> StepContext:
    return context(Decision("t", answer=text), seen=seen)


# --- judgments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", [-0.01, 1.01, math.nan, math.inf, True, "1", None])
def test_a_score_outside_0_to_1_is_refused(score: Any) -> None:
    with pytest.raises(ValueError, match="a score is a number from 0 to 1"):
        Judgment(score, True, "why")


@pytest.mark.parametrize("passed", [1, None, "yes"])
def test_a_judgment_passes_or_does_not(passed: Any) -> None:
    with pytest.raises(ValueError, match="passed is True or False"):
        Judgment(1.0, passed, "why")


@pytest.mark.parametrize("reason", [None, "\ud800"])
def test_a_reason_that_no_trace_could_hold_is_refused(reason: Any) -> None:
    with pytest.raises(ValueError, match="a reason is a text that can be recorded"):
        Judgment(1.0, True, reason)


# --- schema -----------------------------------------------------------------------------------------------------------


def test_the_schema_verifier_is_called_schema_and_judges_before_the_act() -> None:
    assert (SchemaVerifier(TOOLS).name, SchemaVerifier(TOOLS).phase) == ("schema", "pre_act")


def test_arguments_that_fit_score_1_and_the_reason_names_the_schema() -> None:
    judgment = SchemaVerifier(TOOLS).judge(calling("calculator", expression="17*23"))
    assert judgment == Judgment(1.0, True, "args match calculator schema")


def test_an_answer_has_no_call_to_validate() -> None:
    judgment = SchemaVerifier(TOOLS).judge(answering(""))
    assert judgment == Judgment(1.0, True, "final answer step; no tool call to validate")


def test_arguments_that_do_not_fit_score_0_and_the_reason_names_the_place() -> None:
    judgment = SchemaVerifier(TOOLS).judge(calling("calculator", expression=391))
    assert judgment == Judgment(0.0, False, "invalid arguments: $.calculator.expression: expected type string, got int")


def test_an_unknown_tool_scores_0_and_the_reason_lists_the_tools() -> None:
    judgment = SchemaVerifier(TOOLS).judge(calling("calc"))
    assert (judgment.score, judgment.passed) == (0.0, False)
    assert "no tool named 'calc' (have: calculator, " in judgment.reason


def test_arguments_that_are_no_object_are_blocked_like_any_others() -> None:
    judgment = SchemaVerifier(TOOLS).judge(context(Decision("t", tool_call=ToolCall("calculator", "{oops"))))  # type: ignore[arg-type]
    assert judgment.reason == "invalid arguments: $.calculator: expected type object, got str"


ARGS = st.dictionaries(
    st.sampled_from(["expression", "tag", "path", "amount", "source"]),
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.lists(st.integers(), max_size=2),
    max_size=3,
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(name=st.sampled_from([*TOOLS.names(), "calc"]), args=ARGS)
def test_the_verifier_blocks_exactly_what_call_tool_would_refuse_and_says_the_same(
    name: str, args: dict[str, Any]
) -> None:
    reached = []

    def fn(**given: Any) -> None:
        reached.append(given)

    tools = ToolRegistry([Tool(each, "x", {**TOOLS.get(each).schema}, fn) for each in TOOLS.names()])
    judgment = SchemaVerifier(tools).judge(calling(name, **args))
    assert reached == []
    try:
        call_tool(tools, name, args)
    except (UnknownToolError, InvalidArgumentsError) as error:
        assert (judgment.passed, judgment.reason) == (False, str(error))
    else:
        assert judgment.passed and reached == [args]


def test_more_than_ten_errors_are_cut_as_call_tool_cuts_them() -> None:
    args = {f"k{number:02}": 1 for number in range(14)}
    judgment = SchemaVerifier(TOOLS).judge(calling("calculator", **args))
    with pytest.raises(InvalidArgumentsError) as refused:
        call_tool(TOOLS, "calculator", args)
    assert judgment.reason == str(refused.value)
    assert judgment.reason.endswith("and 5 more")


# --- budget -----------------------------------------------------------------------------------------------------------


def test_the_budget_verifier_is_called_budget_and_judges_after_the_act() -> None:
    assert (BudgetVerifier().name, BudgetVerifier().phase) == ("budget", "post_act")


@pytest.mark.parametrize("step,shown", [(0, "1.00"), (1, "0.88"), (4, "0.50"), (7, "0.12")])
def test_headroom_is_1_minus_step_by_max_steps_counted_from_0(step: int, shown: str) -> None:
    judgment = BudgetVerifier().judge(context(Decision("t", answer=""), step=step))
    assert judgment == Judgment(1 - step / 8, True, f"step {step + 1}/8; headroom {shown}")


def test_the_first_step_of_the_spec_reads_as_the_spec_says() -> None:
    judgment = BudgetVerifier().judge(context(Decision("t", answer="")))
    assert (judgment.score, judgment.reason) == (1.0, "step 1/8; headroom 1.00")


def test_a_run_has_the_schema_and_the_budget_verifier_unless_it_is_given_others() -> None:
    assert [verifier.name for verifier in default_verifiers(TOOLS)] == ["schema", "budget"]


# --- grounded ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer,seen,score",
    [
        ("It is 391.", 391, 1.0),
        ("It is 391.", "the result: 391", 1.0),
        ("It is 391.", 13910, 0.0),
        ("It is 391.", None, 0.0),
        ("92.00 EUR", "100 USD = 92.00 EUR", 1.0),
        ("92 EUR", "100 USD = 92.00 EUR", 1.0),
        ("1,000 and 7", {"a": [1000, "x"]}, 0.5),
        ("Nothing to count.", None, 1.0),
        ("", None, 1.0),
        ("-5", 5, 0.0),
        ("1", True, 0.0),
    ],
)
def test_every_number_of_the_answer_has_to_stand_in_an_observation(answer: str, seen: Any, score: float) -> None:
    judgment = GroundedVerifier().judge(answering(answer, seen))
    assert (judgment.score, judgment.passed) == (score, score == 1.0)


def test_what_was_not_observed_is_named() -> None:
    assert GroundedVerifier().judge(answering("391 or 400", 391)).reason == "no observation holds 400"


def test_numbers_in_the_thought_the_task_or_a_failed_observation_prove_nothing() -> None:
    history = [
        {"decision": {"thought": "391"}, "observation": None},
        {"decision": {}, "observation": {"ok": False, "content": "not 391"}},
    ]
    ctx = StepContext("is it 391?", 2, 8, Decision("it is 391", answer="391"), None, history)
    assert GroundedVerifier().judge(ctx).score == 0.0


def test_a_call_is_not_judged_for_its_numbers() -> None:
    assert GroundedVerifier("pre_act").judge(calling("calculator", expression="9")).passed


@pytest.mark.parametrize(
    "args,ok,passed",
    [
        ({"a": 1, "b": 2}, True, False),
        ({"b": 2, "a": 1}, True, False),
        ({"a": 1.0, "b": 2}, True, True),
        ({"a": True, "b": 2}, True, True),
        ({"a": 1, "b": 2}, False, True),
        ({"a": 1}, True, True),
    ],
)
def test_only_the_same_call_that_succeeded_before_is_a_repeat(args: Any, ok: bool, passed: bool) -> None:
    made = {"thought": "", "tool_call": {"tool": "x", "args": {"a": 1, "b": 2}}, "answer": None}
    history = [{"decision": made, "observation": {"ok": ok, "content": "y"}}]
    decision = Decision("t", tool_call=ToolCall("x", args))
    judgment = RepeatVerifier().judge(StepContext("t", 1, 8, decision, None, history))
    assert (judgment.passed, judgment.score) == (passed, float(passed))


def test_an_answer_repeats_nothing() -> None:
    assert RepeatVerifier().judge(answering("again")).passed


@pytest.mark.parametrize(
    "text,found",
    [
        ("13910", ["13910"]),
        ("5-3", ["5", "3"]),
        ("x = -3.50", ["-3.5"]),
        ("$1,234.5 and v2", ["1234.5"]),
        ("1.2.3", []),
        ("ends with 7.", ["7"]),
    ],
)
def test_numbers_are_words_of_their_own(text: str, found: list[str]) -> None:
    assert list(numbers(text)) == [Decimal(one) for one in found]
