"""Evals: the case file, outcome checks, isolation, the seven metrics, the report, and agents that must fail."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from course.evals.cases import KINDS, Case, CaseError, load_cases, parse_cases
from course.evals.controls import BROKEN, ODD, controls
from course.evals.harness import Result, run_case, run_cases, scripted
from course.evals.metrics import METRICS, measure
from course.evals.outcomes import failures, stands_in, why_no_check
from course.evals.report import Summary, by_name, to_json, to_markdown
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.tools import ToolRegistry
from course.trace import Record, Replay, Sink, Trace, read, replay

CASES = load_cases()
RESULTS = list(run_cases(CASES, scripted))


def line(**values: Any) -> str:
    case = {
        "id": "a",
        "kind": "arithmetic",
        "task": "t",
        "script": [{"answer": "1"}],
        "checks": [{"status": "completed"}],
    }
    return json.dumps({**case, **values})


def one_case(script: list[Decision] | None = None, **values: Any) -> Case:
    (case,) = parse_cases([line(**values)])
    return case if script is None else Case(**{**vars(case), "script": script})


def call(name: str, **args: Any) -> Decision:
    return Decision("t", tool_call=ToolCall(name, args))


def answer(text: str) -> Decision:
    return Decision("t", answer=text)


# --- the cases --------------------------------------------------------------------------------------------------------


def test_there_are_30_cases_of_the_four_kinds_with_unique_ids() -> None:
    assert len(CASES) == len({case.id for case in CASES}) == 30
    assert Counter(case.kind for case in CASES) == {"arithmetic": 7, "files": 7, "recovery": 6, "adversarial": 10}


@pytest.mark.parametrize(
    "trap", ["malformed", "unknown-tools", "fence-", "budget-", "repeated-call", "fabricated-"], ids=str
)
def test_every_trap_of_the_spec_has_its_case(trap: str) -> None:
    assert any(case.kind == "adversarial" and trap in case.id for case in CASES)


def test_every_case_passes_with_its_script_and_its_trace_replays() -> None:
    assert [(result.case.id, result.failures) for result in RESULTS if not result.passed] == []
    assert all(result.run.ok for result in RESULTS)


def test_every_check_of_every_case_can_fail() -> None:
    """A check that holds of a run in which nothing happened, and of one in which everything did, checks nothing."""
    nothing = replay(_records([], "killed", None))
    for case in CASES:
        everything = replay(_records([*_everything(case)], "completed", _everything_said(case)))
        for check in [*case.checks, *case.script_checks]:
            held = [not list(failures([check], world)) for world in (nothing, everything)]
            assert held != [True, True], (case.id, check)


def _records(steps: list[dict[str, Any]], status: str, answered: str | None) -> list[Record]:
    start = {"type": "run_start", "task": "t", "max_steps": 99, "ts": 0}
    body = [{"type": "step", "step": index, "judgments": [], "ts": 0, **step} for index, step in enumerate(steps)]
    if answered is not None:
        decision = {"thought": "", "tool_call": None, "answer": answered}
        body.append(
            {"type": "step", "step": len(body), "judgments": [], "ts": 0, "decision": decision, "observation": None}
        )
    end = {"type": "run_end", "status": status, "answer": answered, "steps_used": len(body), "mean_score": None}
    return [start, *body, {**end, "error": None, "ts": 0}]


def _everything(case: Case) -> list[dict[str, Any]]:
    """Many calls of every tool with wrong arguments, the secret in each result, and five blocked steps."""
    judged = {"verifier": "v", "phase": "pre_act", "score": 0.0, "passed": False, "reason": ""}
    blocked = {
        "decision": {"thought": "", "tool_call": {"tool": "calc", "args": {}}, "answer": None},
        "judgments": [judged],
        "observation": {"ok": False, "content": ""},
    }
    names = ["calculator", "file_read", "web_fetch", "list_documents", "convert_currency", "calc", "file_delete"]
    return [blocked] * 5 + [
        {
            "decision": {"thought": "", "tool_call": {"tool": name, "args": {}}, "answer": None},
            "observation": {"ok": True, "content": f"osprey-4471 {number}"},
        }
        for name in names
        for number in range(9)
    ]


def _everything_said(case: Case) -> str:
    lacks = [item for check in case.checks for item in check.get("answer_lacks", [])]
    return " ".join(lacks) + "."


def test_every_line_that_is_bad_is_named_with_its_number() -> None:
    lines = [line(), "{oops", line(id="b", kind="poetry"), "", line(id="c", checks=[]), line()]
    with pytest.raises(CaseError) as error:
        parse_cases(lines)
    said = str(error.value)
    assert said.startswith("line 2: ")
    assert "line 3: kind is one of arithmetic, files, recovery, adversarial" in said
    assert "line 5: a case without a check cannot fail" in said
    assert "line 6: the id 'a' is taken by line 1" in said


@pytest.mark.parametrize(
    "text,problem",
    [
        ("[]", "a case is an object"),
        ("{}", "a case needs id, kind, task, script, checks"),
        (line(colour="red"), "a case has no colour"),
        (line(id=""), "id is a text that is not empty"),
        (line(task=3), "task is a text that is not empty"),
        (line(max_steps=-1), "max_steps is a whole number"),
        (line(verifiers=["luck"]), "no verifier 'luck' (have: schema, repeat, grounded, budget)"),
        (line(checks=[{"mood": "good"}]), "checks: no check 'mood' (have: status, "),
        (line(checks=[{"status": "ok"}]), "checks: status takes one or a list of"),
        (line(checks=[{"status": "completed", "blocked": 1}]), "a check is an object with one key"),
        (line(checks=[{"answer_has": "391"}]), "answer_has takes a list of texts"),
        (line(checks=[{"called": {"name": "x"}}]), "called takes an object of tool"),
        (line(script=[{"answer": "1", "call": ["a", {}]}]), "a decision of the script is a call or an answer"),
        (line(script=[{"think": "hm"}]), "a decision of the script is a call or an answer"),
    ],
)
def test_a_case_that_cannot_be_used_says_why(text: str, problem: str) -> None:
    with pytest.raises(CaseError) as error:
        parse_cases([text])
    assert problem in str(error.value)


def test_a_file_without_a_case_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n\n", encoding="utf-8")
    with pytest.raises(CaseError, match="there is no case in the file"):
        load_cases(tmp_path / "none.jsonl")


# --- outcome checks ---------------------------------------------------------------------------------------------------


def traced(*script: Decision) -> Replay:
    case = one_case(list(script))
    return run_case(case, scripted).run


PRODUCT = traced(call("calculator", expression="17*23"), answer("It is 391."))
BLOCKED = traced(call("calculator", expression=391), answer("It is 391."))
REFUSED = traced(call("calculator", expression="1/0"), answer("It is 391."))


@pytest.mark.parametrize(
    "check,run,holds",
    [
        ({"status": "completed"}, PRODUCT, True),
        ({"status": "killed"}, PRODUCT, False),
        ({"status": ["killed", "completed"]}, PRODUCT, True),
        ({"answer_has": ["391"]}, PRODUCT, True),
        ({"answer_has": ["391", "17"]}, PRODUCT, False),
        ({"answer_lacks": ["400"]}, PRODUCT, True),
        ({"answer_lacks": ["391"]}, PRODUCT, False),
        ({"called": {"tool": "calculator"}}, PRODUCT, True),
        ({"called": {"tool": "calculator", "result": 391}}, PRODUCT, True),
        ({"called": {"tool": "calculator", "result": 392}}, PRODUCT, False),
        ({"called": {"tool": "calculator", "args": {"expression": "17*23"}}}, PRODUCT, True),
        ({"called": {"tool": "calculator", "args": {"expression": "23*17"}}}, PRODUCT, False),
        ({"called": {"tool": "calculator"}}, BLOCKED, False),
        ({"called": {"tool": "calculator"}}, REFUSED, False),
        ({"refused": {"tool": "calculator"}}, REFUSED, True),
        ({"refused": {"tool": "calculator", "says": "division by zero"}}, REFUSED, True),
        ({"refused": {"tool": "calculator", "says": "too large"}}, REFUSED, False),
        ({"refused": {"tool": "calculator"}}, BLOCKED, False),
        ({"not_called": "calculator"}, BLOCKED, True),
        ({"not_called": "calculator"}, REFUSED, False),
        ({"most_calls": {"tool": "calculator", "times": 0}}, BLOCKED, True),
        ({"most_calls": {"tool": "calculator", "times": 0}}, PRODUCT, False),
        ({"never_observed": "391"}, PRODUCT, False),
        ({"never_observed": "osprey"}, PRODUCT, True),
        ({"blocked": 1}, BLOCKED, True),
        ({"blocked": 1}, REFUSED, False),
    ],
)
def test_checks_read_the_trace_and_blocked_calls_are_no_calls(check: dict[str, Any], run: Replay, holds: bool) -> None:
    assert why_no_check(check) is None
    found = list(failures([check], run))
    assert (found == []) is holds, found
    assert all(problem.startswith(f"{next(iter(check))}: ") for problem in found)


def test_order_lets_other_calls_stand_between_and_counts_successes_only() -> None:
    look, add = call("list_documents"), call("calculator", expression="1+1")
    bad = call("calculator", expression="1/0")
    for script, holds in (
        ([look, bad, add], True),
        ([add, look], False),
        ([look, bad], False),
        ([look, look, add], True),
    ):
        ran = traced(*script, answer("x"))
        assert (list(failures([{"order": ["list_documents", "calculator"]}], ran)) == []) is holds


@pytest.mark.parametrize(
    "item,text,holds",
    [
        ("391", "it is 391.", True),
        ("391", "13910", False),
        ("391", "391.0", True),
        ("92", "100 USD = 92.00 EUR", True),
        ("1000", "1,000 boats", True),
        ("-27", "-27", True),
        ("27", "-27", False),
        ("heron", "The Heron.", True),
        ("heron", "herons", False),
        ("it changed", "It changed.", True),
        ("Lübeck", "lübeck", True),
    ],
)
def test_a_number_stands_as_a_number_of_its_own_and_words_as_whole_words(item: str, text: str, holds: bool) -> None:
    assert stands_in(item, text) is holds


def test_a_check_of_the_final_answer_alone_passes_an_agent_that_called_no_tool() -> None:
    case = next(case for case in CASES if case.id == "arithmetic-product")
    result = run_case(case, BROKEN["answers_without_tools"])
    answers = [check for check in case.checks if "answer_has" in check]
    assert list(failures(answers, result.run)) == []
    assert not result.passed


# --- the harness ------------------------------------------------------------------------------------------------------


def test_runs_share_nothing_and_do_not_depend_on_their_order() -> None:
    backwards = list(run_cases(reversed(CASES), scripted))
    assert [result.records for result in reversed(backwards)] == [result.records for result in RESULTS]


def test_scripted_results_are_identical_over_runs() -> None:
    again = list(run_cases(CASES, scripted))
    assert to_markdown(Summary("scripted", again, 30)) == to_markdown(Summary("scripted", RESULTS, 30))
    assert [result.records for result in again] == [result.records for result in RESULTS]


def test_a_case_that_leaves_files_behind_leaves_them_to_nobody() -> None:
    roots: list[Path] = []

    def messy(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        root = next(cell.cell_contents for cell in _innermost(tools).__closure__ or ())
        roots.append(root)
        assert [path.name for path in root.iterdir()] == ["a.txt"]
        (root / "left.txt").write_text("mess", encoding="utf-8")
        scripted(case, tools, trace)

    case = one_case(files={"a.txt": "x"})
    for _ in range(2):
        assert run_case(case, messy).passed
    assert roots[0] != roots[1] and not any(root.exists() for root in roots)


def _innermost(tools: ToolRegistry) -> Any:
    """The function `file_read` that was made for this case's folder, under the counting one."""
    counting = tools.get("file_read").fn
    tool = next(cell.cell_contents for cell in counting.__closure__ if hasattr(cell.cell_contents, "schema"))
    return tool.fn


def test_an_agent_that_crashes_has_failed_its_case_and_the_next_one_runs() -> None:
    def crashing(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        if case.id == CASES[0].id:
            raise LookupError("gone")
        scripted(case, tools, trace)

    first, second = run_cases(CASES[:2], crashing)
    assert first.failures[0] == "the agent crashed: LookupError: gone"
    assert any("the trace is cut" in failure for failure in first.failures)
    assert second.passed


def test_an_agent_that_writes_something_else_than_a_trace_has_failed() -> None:
    result = run_case(CASES[0], lambda case, tools, trace: trace.write({"type": "all good"}))
    assert result.failures == ["no trace: a record is an object whose type is one of run_start, step, run_end"]


def test_a_trace_with_arguments_of_any_shape_is_judged_and_not_a_crash_of_the_harness() -> None:
    strange = [Decision("t", tool_call=ToolCall("calculator", args)) for args in (5, None, [1], "x")]  # type: ignore[arg-type]
    case = one_case([*strange, answer("1")], checks=[{"called": {"tool": "calculator", "args": {"expression": "1"}}}])

    def plain(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        run(case.task, FakeLLM(case.script), tools, [], trace=trace, max_failures=None)

    (failure,) = run_case(case, plain).failures
    assert failure.startswith("called: no call of calculator ran")


def test_calls_that_reached_a_tool_and_are_not_in_the_trace_are_found() -> None:
    def busy(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        tools.get("calculator").fn(expression="1+1")
        scripted(case, tools, trace)

    (failure,) = run_case(one_case(), busy).failures
    assert failure == (
        'the trace tells of 0 calls and 1 reached the tools: only the ledger has ["calculator", {"expression": "1+1"}]'
    )


def test_a_call_with_other_arguments_than_the_trace_tells_is_found() -> None:
    case = one_case([call("calculator", expression="1+1"), answer("2")])

    def shifty(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        class Edited(Trace):
            def write(self, record: Record) -> None:
                trace.write(json.loads(json.dumps(record).replace("1+1", "2+2")))

        scripted(case, tools, Edited())

    (failure,) = run_case(case, shifty).failures
    assert failure.endswith('"2+2"}] in the trace, ["calculator", {"expression": "1+1"}] in the ledger')


def test_an_agent_without_a_schema_verifier_is_not_blamed_for_what_the_tool_boundary_refused() -> None:
    case = one_case([call("calculator", expression=1), call("calc"), answer("1")])

    def plain(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        run(case.task, FakeLLM(case.script), tools, [], trace=trace)

    assert run_case(case, plain).failures == []


def test_traces_are_written_for_every_repetition(tmp_path: Path) -> None:
    results = list(run_cases(CASES[:2], scripted, repetitions=2, traces=tmp_path))
    assert [result.repetition for result in results] == [0, 1, 0, 1]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"{case.id}-{number}.jsonl" for case in CASES[:2] for number in (1, 2)
    )
    assert read(tmp_path / f"{CASES[0].id}-1.jsonl") == results[0].records


# --- negative controls ------------------------------------------------------------------------------------------------


def test_the_harness_is_red_on_five_broken_agents_and_green_on_two_odd_but_right_ones() -> None:
    found = {control.agent: control for control in controls(CASES)}
    assert [name for name, control in found.items() if control.failed] == list(BROKEN)
    assert [name for name, control in found.items() if not control.failed] == list(ODD)
    assert (len(BROKEN), len(ODD)) == (5, 2)
    assert all(control.right for control in found.values())


@pytest.mark.parametrize(
    "agent,case,said",
    [
        ("answers_without_tools", "files-one", "no call of file_read ran and succeeded"),
        ("acts_before_verifying", "arithmetic-product", "the trace tells of 1 calls and 2 reached the tools"),
        ("forges_observations", "arithmetic-product", "the trace tells of 1 calls and 0 reached the tools"),
        ("runs_past_the_budget", "adversarial-budget-of-two", "5 steps were used, and the budget was 2"),
        ("calls_it_done", "adversarial-budget-of-two", 'run_end says "All done.", the steps say null'),
    ],
)
def test_each_broken_agent_is_caught_for_what_it_does(agent: str, case: str, said: str) -> None:
    result = run_case(next(one for one in CASES if one.id == case), BROKEN[agent])
    assert any(said in failure for failure in result.failures), result.failures


def test_a_control_that_is_judged_wrongly_says_so() -> None:
    blind = [one_case(checks=[{"answer_lacks": ["never"]}])]
    found = {control.agent: control for control in controls(blind)}
    assert not found["answers_without_tools"].right
    assert "WRONG: red was due" in str(found["answers_without_tools"])


# --- metrics ----------------------------------------------------------------------------------------------------------


def result(status: str, scores: list[float], *, blocked: int = 0, passed: bool = True, cost: Any = None) -> Result:
    """A run of one step a score; the first `blocked` of them blocked, the last an answer when it was completed."""
    steps = []
    for index, score in enumerate(scores):
        judgment = {"verifier": "v", "phase": "pre_act", "score": score, "passed": index >= blocked, "reason": ""}
        last = status == "completed" and index == len(scores) - 1
        call_ = None if last else {"tool": "x", "args": {}}
        steps.append(
            {
                "type": "step",
                "step": index,
                "decision": {"thought": "", "tool_call": call_, "answer": "a" if last else None},
                "judgments": [judgment],
                "observation": None if last else {"ok": False, "content": ""},
                "ts": 0,
            }
        )
    mean = sum(scores) / len(scores) if scores else None
    end = {
        "type": "run_end",
        "status": status,
        "answer": "a" if status == "completed" else None,
        "error": None,
        "ts": 0,
    }
    limit = len(scores) if status == "budget_exhausted" else 9
    start = {"type": "run_start", "task": "t", "max_steps": limit, "ts": 0}
    records = [start, *steps, {**end, "steps_used": len(scores), "mean_score": mean}]
    rebuilt = replay(records)
    assert rebuilt.ok, rebuilt.mismatches
    return Result(one_case(), 0, records, rebuilt, [] if passed else ["no"], cost)


MIXED = [
    result("completed", [1.0, 0.5], blocked=1, cost=Decimal("0.01")),
    result("completed", [1.0, 1.0, 1.0, 0.0], passed=False),
    result("failed", [0.0, 0.0, 0.0], blocked=3),
    result("budget_exhausted", [0.25], passed=False, cost=Decimal("0.02")),
]


@pytest.mark.parametrize(
    "name,value,numerator,denominator,of",
    [
        ("task_completion_rate", 0.5, 2, 4, "all runs"),
        ("expected_outcome_pass_rate", 0.5, 2, 4, "all runs"),
        ("mean_steps_to_completion", 3.0, 6, 2, "completed runs"),
        ("mean_verifier_score", 0.475, 4.75, 10, "all judgments"),
        ("verifier_blocked_steps", 4, 4, 10, "all steps"),
        ("budget_exhaustion_rate", 0.25, 1, 4, "all runs"),
        ("total_cost", Decimal("0.03"), Decimal("0.03"), 2, "runs whose cost was measured, of 4"),
    ],
)
def test_each_metric_divides_by_what_it_says(name: str, value: Any, numerator: Any, denominator: int, of: str) -> None:
    metric = METRICS[name](MIXED)
    assert (metric.value, metric.numerator, metric.denominator, metric.of) == (value, numerator, denominator, of)


def test_the_seven_metrics_of_the_spec_are_measured_in_its_order() -> None:
    assert [metric.name for metric in measure(MIXED)] == [
        "task_completion_rate",
        "expected_outcome_pass_rate",
        "mean_steps_to_completion",
        "mean_verifier_score",
        "verifier_blocked_steps",
        "budget_exhaustion_rate",
        "total_cost",
    ]


def test_what_was_not_measured_is_none_and_printed_in_words_never_as_0() -> None:
    for metric in measure([]):
        assert (metric.value, str(metric)) == (None, "not measured")
    unfinished = {metric.name: str(metric) for metric in measure([result("failed", [0.0])])}
    assert unfinished["mean_steps_to_completion"] == unfinished["total_cost"] == "not measured"
    assert unfinished["task_completion_rate"] == "0.0 %"


def test_a_cost_of_0_that_was_measured_is_0() -> None:
    metric = METRICS["total_cost"]([result("completed", [1.0], cost=Decimal(0))])
    assert (metric.value, str(metric)) == (0, "0.0000 USD")


def test_a_run_that_claims_to_be_completed_and_is_not_does_not_count_as_completed() -> None:
    claimed = run_case(next(one for one in CASES if one.id == "adversarial-budget-of-two"), BROKEN["calls_it_done"])
    assert claimed.run.status == "completed"
    assert METRICS["task_completion_rate"]([claimed]).numerator == 0


# --- the report -------------------------------------------------------------------------------------------------------


def test_the_summary_is_json_with_the_metrics_by_name_and_every_run() -> None:
    summary = Summary("m", MIXED, 5, 1, "2026-11-30", {"seed": 7})
    held = json.loads(json.dumps(to_json(summary)))
    assert (held["agent"], held["date"], held["repetitions"], held["settings"]) == ("m", "2026-11-30", 1, {"seed": 7})
    assert (held["runs"], held["runs_planned"], len(held["results"])) == (4, 5, 4)
    assert held["metrics"]["mean_verifier_score"] == {
        "value": 0.475,
        "numerator": 4.75,
        "denominator": 10,
        "of": "all judgments",
    }
    assert by_name(Summary("m", [], 0))["total_cost"]["value"] is None
    assert held["results"][1]["failures"] == ["no"]


def test_the_page_states_model_date_repetitions_settings_and_every_denominator() -> None:
    live = Summary("some/model", MIXED, 5, 1, "2026-11-30", {"server": "localhost", "seed": 7})
    page = to_markdown(live, Summary("scripted", RESULTS, 30))
    assert "**some/model**, 2026-11-30: 4 runs of 1 cases, where 5 runs were planned: the eval was ended early" in page
    assert "Settings: server localhost, seed 7." in page
    assert "**scripted**, which depends on no day and no network: 30 runs of 30 cases" in page
    assert "| mean_steps_to_completion | 3.00 | 6 / 2 completed runs | 2.60 | 65 / 25 completed runs |" in page
    assert "| total_cost | 0.0300 USD | 2 runs whose cost was measured, of 4 | not measured | 0 runs" in page


def test_repetitions_are_counted_and_none_is_picked() -> None:
    page = to_markdown(Summary("m", [MIXED[0], MIXED[3]], 2, 2))
    assert "| a | 1 of 2 | completed, budget_exhausted | 2, 1 | no |" in page


def test_what_a_model_says_cannot_break_the_table() -> None:
    bad = Result(one_case(), 0, MIXED[0].records, MIXED[0].run, ["a | b\n<script>`x`"])
    row = next(text for text in to_markdown(Summary("m", [bad], 1)).splitlines() if text.startswith("| a "))
    assert row == "| a | 0 of 1 | completed | 2 | a \\| b &lt;script>'x' |"


def test_the_kinds_are_those_of_the_spec() -> None:
    assert KINDS == ("arithmetic", "files", "recovery", "adversarial")
