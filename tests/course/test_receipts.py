"""`course.loops.receipts`, line by line as `spec/mini_agent.md` has it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course import corpus
from course.errors import ToolError
from course.flaky import flaky
from course.loops.receipts import Receipt, canonical, receipt, render_trace, run_loop

KEYS = {"steps", "stopped_because", "answer", "refusal"}
WENT_AWAY = "list_documents: the corpus index went away mid-run"
END = {"answer": "done"}


def call(tool: str, /, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args}


def list_documents(tag: str | None = None) -> str:
    return ", ".join(corpus.list_documents(tag))


class Counted:
    """A tool that answers with its number of calls, and remembers what it was asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.seen: list[dict[str, Any]] = []
        self.error = error

    def __call__(self, **args: Any) -> str:
        self.seen.append(deepcopy(args))
        if self.error is not None:
            raise self.error
        return f"result {len(self.seen)}"


def answered() -> Receipt:
    return run_loop([call("look", n=1), END], {"look": Counted()}, 5)


def out_of_budget() -> Receipt:
    return run_loop([call("look", n=1), call("other", n=2), END], {"look": Counted(), "other": Counted()}, 1)


def repeated() -> Receipt:
    return run_loop([call("look", n=1), call("look", n=1), END], {"look": Counted()}, 5)


def refused() -> Receipt:
    tools = {"look": Counted(), "gone": Counted(ToolError("gone: no index"))}
    return run_loop([call("look", n=1), call("gone", n=2), END], tools, 5)


EXITS = {"answered": answered, "budget": out_of_budget, "repeated_call": repeated, "tool_error": refused}
STOPS = {"budget": "other", "repeated_call": "look", "tool_error": "gone"}
every_exit = pytest.mark.parametrize("why", EXITS)
every_stop = pytest.mark.parametrize("why", STOPS)


# ---------------- the receipt
@every_exit
def test_all_four_keys_stand_in_the_receipt_on_every_exit(why: str) -> None:
    run = EXITS[why]()
    assert set(run) == KEYS
    assert run["stopped_because"] == why


def test_a_step_is_the_tool_the_arguments_and_the_result_in_the_order_of_the_calls() -> None:
    tools = {"look": Counted(), "other": Counted()}
    run = run_loop([call("look", n=1), call("other", m=[2]), END], tools, 5)
    assert run["steps"] == [
        {"tool": "look", "args": {"n": 1}, "result": "result 1"},
        {"tool": "other", "args": {"m": [2]}, "result": "result 1"},
    ]


def test_answered_alone_fills_the_answer() -> None:
    run = answered()
    assert (run["answer"], run["refusal"]) == ("done", None)


@every_stop
def test_every_other_exit_fills_the_refusal_and_no_answer(why: str) -> None:
    run = EXITS[why]()
    assert run["answer"] is None
    assert isinstance(run["refusal"], str)
    assert run["refusal"].strip()


@every_stop
def test_every_refusal_names_the_tool_concerned(why: str) -> None:
    assert STOPS[why] in EXITS[why]()["refusal"]


@every_stop
def test_steps_that_succeeded_before_the_stop_survive(why: str) -> None:
    assert EXITS[why]()["steps"] == [{"tool": "look", "args": {"n": 1}, "result": "result 1"}]


def test_an_empty_text_is_an_answer() -> None:
    run = run_loop([{"answer": ""}], {}, 0)
    assert (run["stopped_because"], run["answer"], run["refusal"]) == ("answered", "", None)


def test_the_answer_is_a_decision_and_never_a_step() -> None:
    assert run_loop([END], {}, 5)["steps"] == []


def test_what_is_planned_behind_the_answer_does_not_run() -> None:
    look = Counted()
    assert run_loop([END, call("look", n=1)], {"look": look}, 5)["stopped_because"] == "answered"
    assert look.seen == []


# ---------------- recorded by value
def test_arguments_that_change_after_the_run_change_no_step() -> None:
    plan: list[dict[str, Any]] = [call("look", pages=[1, {"deep": [2]}]), END]
    run = run_loop(plan, {"look": Counted()}, 5)
    plan[0]["args"]["pages"][1]["deep"].append(99)
    plan[0]["args"]["added"] = 1
    assert run["steps"][0]["args"] == {"pages": [1, {"deep": [2]}]}


def test_a_tool_that_edits_its_arguments_edits_no_step() -> None:
    def greedy(pages: list[int]) -> int:
        return pages.pop()

    run = run_loop([call("greedy", pages=[1, 2]), END], {"greedy": greedy}, 5)
    assert run["steps"] == [{"tool": "greedy", "args": {"pages": [1, 2]}, "result": 2}]


def test_a_result_that_changes_after_the_call_changes_no_step() -> None:
    rows: list[int] = [1]

    def growing() -> list[int]:
        rows.append(len(rows) + 1)
        return rows

    run = run_loop([call("growing"), END], {"growing": growing}, 5)
    growing()
    assert run["steps"][0]["result"] == [1, 2]


def test_the_tool_gets_its_arguments_by_name_as_they_are_planned() -> None:
    look = Counted()
    run_loop([call("look", a=1, b={"c": [True, 1.0, None]}), END], {"look": look}, 5)
    assert look.seen == [{"a": 1, "b": {"c": [True, 1.0, None]}}]


# ---------------- tool_error
def test_the_refusal_of_a_tool_error_reads_exactly_as_the_contract_says() -> None:
    assert refused()["refusal"] == "stopped: gone refused (gone: no index)"


def test_after_a_tool_error_no_tool_runs_and_the_one_that_refused_is_not_asked_again() -> None:
    gone, later = Counted(ToolError("gone: no index")), Counted()
    run_loop([call("gone", n=1), call("later", n=1), END], {"gone": gone, "later": later}, 5)
    assert (len(gone.seen), len(later.seen)) == (1, 0)


def test_a_subclass_of_tool_error_is_a_tool_error() -> None:
    class Gone(ToolError):
        pass

    assert run_loop([call("t"), END], {"t": Counted(Gone("t: away"))}, 5)["stopped_because"] == "tool_error"


@pytest.mark.parametrize("defect", [KeyError("k"), ValueError("v"), TypeError("t"), RuntimeError("r")], ids=repr)
def test_anything_but_a_tool_error_propagates_as_it_is(defect: Exception) -> None:
    later = Counted()
    with pytest.raises(type(defect)) as raised:
        run_loop([call("t"), call("later"), END], {"t": Counted(defect), "later": later}, 5)
    assert raised.value is defect
    assert later.seen == []


def test_a_tool_that_is_not_there_is_a_defect_of_the_plan() -> None:
    with pytest.raises(KeyError):
        run_loop([call("nobody"), END], {}, 5)


# ---------------- repeated_call
def test_the_same_call_again_stops_before_it_runs() -> None:
    look = Counted()
    run = run_loop([call("look", n=1), call("look", n=1), END], {"look": look}, 5)
    assert (run["stopped_because"], len(look.seen)) == ("repeated_call", 1)


def test_a_repeat_counts_when_other_calls_stand_between() -> None:
    look = Counted()
    run = run_loop([call("look", n=1), call("look", n=2), call("look", n=1), END], {"look": look}, 5)
    assert (run["stopped_because"], len(look.seen)) == ("repeated_call", 2)


def test_the_order_of_the_keys_makes_no_other_call_at_any_depth() -> None:
    plan = [call("look", a=1, b={"c": 2, "d": 3}), call("look", b={"d": 3, "c": 2}, a=1), END]
    assert run_loop(plan, {"look": Counted()}, 5)["stopped_because"] == "repeated_call"


def test_one_as_an_integer_a_float_a_bool_and_a_text_are_four_calls() -> None:
    plan = [*(call("look", n=n) for n in (1, 1.0, True, "1")), END]
    assert run_loop(plan, {"look": Counted()}, 9)["stopped_because"] == "answered"


def test_the_same_arguments_for_another_tool_are_another_call() -> None:
    plan = [call("look", n=1), call("other", n=1), END]
    assert run_loop(plan, {"look": Counted(), "other": Counted()}, 9)["stopped_because"] == "answered"


def test_a_call_is_known_by_its_arguments_at_the_time_it_was_made() -> None:
    def greedy(pages: list[int]) -> int:
        return pages.pop()

    plan = [call("greedy", pages=[1, 2]), call("greedy", pages=[1]), END]
    assert run_loop(plan, {"greedy": greedy}, 9)["stopped_because"] == "answered"


# ---------------- budget
@given(budget=st.integers(0, 6), calls=st.integers(0, 8))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_the_budget_is_the_largest_number_of_calls_and_an_answer_costs_none(budget: int, calls: int) -> None:
    look = Counted()
    run = run_loop([*(call("look", n=n) for n in range(calls)), END], {"look": look}, budget)
    assert len(look.seen) == len(run["steps"]) == min(budget, calls)
    assert run["stopped_because"] == ("answered" if calls <= budget else "budget")


def test_over_budget_and_a_repeat_at_once_is_a_stop_for_budget() -> None:
    again = call("look", n=1)
    assert run_loop([again, again, END], {"look": Counted()}, 1)["stopped_because"] == "budget"


# ---------------- plan
@pytest.mark.parametrize("plan", [[], [call("look", n=1)]], ids=["empty", "calls only"])
def test_a_plan_that_holds_no_answer_is_refused_before_any_tool_runs(plan: list[dict[str, Any]]) -> None:
    look = Counted()
    with pytest.raises(ValueError, match="the plan holds no answer"):
        run_loop(plan, {"look": look}, 5)
    assert look.seen == []


def test_a_run_does_not_change_its_plan() -> None:
    plan: list[dict[str, Any]] = [call("look", n=[1]), call("look", n=[2]), END]
    before = deepcopy(plan)
    run_loop(plan, {"look": Counted()}, 5)
    assert plan == before


def test_two_runs_of_one_plan_give_equal_receipts() -> None:
    assert refused() == refused()


# ---------------- the example that every text uses
def test_the_four_step_plan_over_the_flaky_tool_ends_as_the_spec_says() -> None:
    tools: dict[str, Callable[..., Any]] = {
        "list_documents": flaky(list_documents, after=2, error=WENT_AWAY),
        "convert_currency": corpus.convert_currency,
    }
    plan = [
        *(call("list_documents", tag=tag) for tag in ("retrieval", "budgets", "evals")),
        call("convert_currency", amount=100, source="USD", target="EUR"),
        {"answer": "never given"},
    ]
    run = run_loop(plan, tools, 9)
    assert f"steps={len(run['steps'])}  stopped_because={run['stopped_because']!r}" == (
        "steps=2  stopped_because='tool_error'"
    )
    assert f"refusal: {run['refusal']}" == f"refusal: stopped: list_documents refused ({WENT_AWAY})"


def test_the_trace_of_the_spec_is_printed_to_the_letter() -> None:
    plan = [
        call("list_documents", tag="retrieval"),
        call("convert_currency", amount=100, source="USD", target="EUR"),
        {"answer": "rag-basics covers retrieval, and 100 USD is 92.00 EUR."},
    ]
    run = run_loop(plan, {"list_documents": list_documents, "convert_currency": corpus.convert_currency}, 2)
    assert render_trace(run) == (
        "1. list_documents({'tag': 'retrieval'}) -> rag-basics\n"
        "2. convert_currency({'amount': 100, 'source': 'USD', 'target': 'EUR'}) -> 100 USD = 92.00 EUR\n"
        "stopped_because='answered'  answer='rag-basics covers retrieval, and 100 USD is 92.00 EUR.'"
    )


# ---------------- the trace
@every_stop
def test_a_refusal_closes_the_trace_under_its_own_name(why: str) -> None:
    run = EXITS[why]()
    last = render_trace(run).splitlines()[-1]
    assert last == f"stopped_because={why!r}  refusal={run['refusal']!r}"


def test_values_are_shown_with_repr_and_results_with_str() -> None:
    run = receipt([{"tool": "t", "args": {"text": "it's", "n": 1.0}, "result": "plain"}], "answered", answer="it's")
    assert render_trace(run) == (
        "1. t({'text': \"it's\", 'n': 1.0}) -> plain\nstopped_because='answered'  answer=\"it's\""
    )


def test_a_run_without_a_step_is_its_closing_line_alone() -> None:
    assert render_trace(receipt([], "answered", answer="")) == "stopped_because='answered'  answer=''"


def test_canonical_is_one_text_for_one_call() -> None:
    assert canonical("t", {"b": 1, "a": True}) == '["t", {"a": true, "b": 1}]'
