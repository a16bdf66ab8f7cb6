"""The verified loop: what a step is, what blocks it, what ends a run, and what its trace then holds."""

from __future__ import annotations

import _thread
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.errors import ToolError
from course.loops.verified import OutOfBudgetError, Run, run
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import CALCULATOR
from course.tools import Tool, ToolRegistry
from course.trace import KEYS, Record, Trace, TraceWriter, replay, steps_of, why_no_record
from course.verifiers import BudgetVerifier, GroundedVerifier, Judgment, Phase, SchemaVerifier, StepContext

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


class Work:
    """A tool `work(n)` that counts its calls and then does what `fn` does."""

    def __init__(self, fn: Any = None) -> None:
        self.calls: list[int] = []
        self.fn = fn or (lambda n: n * 2)
        self.tools = ToolRegistry([Tool("work", "Work.", NUMBER, self.work)])

    def work(self, n: int) -> Any:
        self.calls.append(n)
        return self.fn(n)


def call(n: Any = 1, name: str = "work") -> Decision:
    return Decision("calling", tool_call=ToolCall(name, {"n": n}))


def answer(text: str = "done") -> Decision:
    return Decision("answering", answer=text)


def played(script: list[Decision], work: Work | None = None, **options: Any) -> tuple[Run, list[Record]]:
    """Run a script and hold what is true of every trace."""
    trace = Trace()
    ended = run("the task", FakeLLM(script), (work or Work()).tools, trace=trace, **options)
    well_ended(trace)
    end = trace.records[-1]
    assert (end["status"], end["answer"], end["steps_used"]) == (ended.status, ended.answer, ended.steps_used)
    assert (end["mean_score"], end["error"]) == (ended.mean_score, ended.error)
    return ended, trace.records


def well_ended(trace: Trace) -> Record:
    """Hold that a trace is whole and agrees with itself; its run_end."""
    assert [why_no_record(record) for record in trace.records] == [None] * len(trace.records)
    assert trace.records[0]["type"] == "run_start"
    assert [record["type"] for record in trace.records].count("run_end") == 1
    assert replay(trace.records).mismatches == []
    return trace.records[-1]


class Says:
    """A verifier that says what it was told to, and keeps the contexts that it was shown."""

    def __init__(self, phase: Phase, *passes: bool, name: str = "says") -> None:
        self.name, self.phase, self.passes = name, phase, list(passes)
        self.seen: list[StepContext] = []

    def judge(self, ctx: StepContext) -> Judgment:
        self.seen.append(ctx)
        passed = self.passes.pop(0) if self.passes else True
        return Judgment(1.0 if passed else 0.25, passed, "fine" if passed else "I do not like it")


# --- the run of the spec ----------------------------------------------------------------------------------------------


def spec_run() -> Trace:
    trace = Trace()
    script = [
        Decision("multiply", tool_call=ToolCall("calculator", {"expression": "17*23"})),
        Decision("that is it", answer="391"),
    ]
    run("What is 17*23?", FakeLLM(script), ToolRegistry([CALCULATOR]), trace=trace)
    return trace


def test_a_call_and_an_answer_score_1_1_1_088_and_their_mean_is_097() -> None:
    records = spec_run().records
    scores = [judgment["score"] for step in steps_of(records) for judgment in step["judgments"]]
    assert [f"{score:.2f}" for score in scores] == ["1.00", "1.00", "1.00", "0.88"]
    assert f"{records[-1]['mean_score']:.2f}" == "0.97"


def test_the_trace_of_a_run_is_these_bytes() -> None:
    lines = spec_run().to_bytes().decode().splitlines()
    assert lines == [
        '{"type": "run_start", "task": "What is 17*23?", "max_steps": 8, "ts": 0}',
        '{"type": "step", "step": 0, "decision": {"thought": "multiply", "tool_call": {"tool": "calculator", '
        '"args": {"expression": "17*23"}}, "answer": null}, "judgments": [{"verifier": "schema", "phase": "pre_act", '
        '"score": 1.0, "passed": true, "reason": "args match calculator schema"}, {"verifier": "budget", '
        '"phase": "post_act", "score": 1.0, "passed": true, "reason": "step 1/8; headroom 1.00"}], '
        '"observation": {"ok": true, "content": 391}, "ts": 1}',
        '{"type": "step", "step": 1, "decision": {"thought": "that is it", "tool_call": null, "answer": "391"}, '
        '"judgments": [{"verifier": "schema", "phase": "pre_act", "score": 1.0, "passed": true, "reason": '
        '"final answer step; no tool call to validate"}, {"verifier": "budget", "phase": "post_act", "score": 0.875, '
        '"passed": true, "reason": "step 2/8; headroom 0.88"}], "observation": null, "ts": 2}',
        '{"type": "run_end", "status": "completed", "answer": "391", "steps_used": 2, "mean_score": 0.96875, '
        '"error": null, "ts": 3}',
    ]


def test_scripted_traces_are_byte_identical_over_runs() -> None:
    assert spec_run().to_bytes() == spec_run().to_bytes()


def test_every_record_has_exactly_the_keys_of_the_spec_in_its_order() -> None:
    assert [tuple(record) for record in spec_run().records] == [
        KEYS["run_start"],
        KEYS["step"],
        KEYS["step"],
        KEYS["run_end"],
    ]


def test_the_clock_is_injected_and_read_once_a_record() -> None:
    _, records = played([call(), answer()], clock=iter([10.5, 11.0, 12.25, 13.0]).__next__)
    assert [record["ts"] for record in records] == [10.5, 11.0, 12.25, 13.0]


# --- answers ----------------------------------------------------------------------------------------------------------


def test_the_answer_turn_is_a_step_and_its_observation_is_null() -> None:
    ended, records = played([answer("42")])
    assert (ended.status, ended.answer, ended.steps_used) == ("completed", "42", 1)
    assert records[1]["observation"] is None


def test_the_empty_string_is_an_answer() -> None:
    ended, _ = played([answer("")])
    assert (ended.status, ended.answer) == ("completed", "")


def test_a_blocked_answer_is_not_given_and_is_fed_back() -> None:
    work = Work()
    verifiers = [SchemaVerifier(work.tools), GroundedVerifier("pre_act"), BudgetVerifier()]
    ended, records = played([answer("it is 84"), call(42), answer("it is 84")], work, verifiers=verifiers)
    assert (ended.status, ended.answer, ended.steps_used) == ("completed", "it is 84", 3)
    assert records[1]["observation"] == {"ok": False, "content": "blocked: no observation holds 84"}


# --- verification -----------------------------------------------------------------------------------------------------


def test_a_failing_pre_act_judgment_blocks_the_call_is_logged_and_fed_back() -> None:
    work, shown = Work(), []
    script = FakeLLM([call("3"), call(3), answer()])

    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        shown.append(history)
        return script(task, history)

    trace = Trace()
    run("the task", llm, work.tools, trace=trace)
    reason = "invalid arguments: $.work.n: expected type integer, got str"
    assert work.calls == [3]
    assert trace.records[1]["judgments"][0] == {
        "verifier": "schema",
        "phase": "pre_act",
        "score": 0.0,
        "passed": False,
        "reason": reason,
    }
    assert trace.records[1]["observation"] == {"ok": False, "content": f"blocked: {reason}"}
    assert shown[1] == [
        {"decision": trace.records[1]["decision"], "observation": trace.records[1]["observation"]},
    ]


def test_a_rejected_step_uses_up_a_step() -> None:
    work = Work()
    ended, records = played([call("3")] * 2 + [call(3)], work, max_steps=2)
    assert (ended.status, ended.steps_used, work.calls) == ("budget_exhausted", 2, [])
    assert [step["step"] for step in steps_of(records)] == [0, 1]


def test_every_failing_reason_is_fed_back_not_the_first_alone() -> None:
    verifiers = [Says("pre_act", False, name="one"), Says("pre_act", False, name="two")]
    _, records = played([call(), answer()], verifiers=verifiers)
    assert records[1]["observation"]["content"] == "blocked: I do not like it; I do not like it"
    assert [judgment["verifier"] for judgment in records[1]["judgments"]] == ["one", "two"]


def test_post_act_verifiers_see_the_observation_and_score_blocked_steps_too() -> None:
    before, after = Says("pre_act", True, False), Says("post_act")
    _, records = played([call(4), call(5), answer()], verifiers=[before, after])
    assert [ctx.observation for ctx in before.seen] == [None] * 3
    assert [ctx.observation and ctx.observation["ok"] for ctx in after.seen] == [True, False, None]
    assert all(len(step["judgments"]) == 2 for step in steps_of(records))


def test_a_failing_post_act_judgment_blocks_nothing() -> None:
    work = Work()
    ended, _ = played([call(), answer()], work, verifiers=[Says("post_act", False, False)])
    assert (ended.status, ended.mean_score, work.calls) == ("completed", 0.25, [1])


def test_without_verifiers_there_is_no_mean_and_the_tools_own_validation_holds() -> None:
    work = Work()
    ended, records = played([call("x"), answer()], work, verifiers=[])
    assert (ended.mean_score, work.calls) == (None, [])
    assert records[1]["observation"]["content"].startswith("invalid arguments: $.work.n")


def test_a_verifier_that_changes_what_it_is_shown_changes_nothing_else() -> None:
    class Vandal:
        name, phase = "vandal", "pre_act"

        def judge(self, ctx: StepContext) -> Judgment:
            if ctx.decision.tool_call:
                ctx.decision.tool_call.args["n"] = 99
            ctx.history.append({})
            return Judgment(1, True, "nothing to see")

    work = Work()
    _, records = played([call(7), answer()], work, verifiers=[Vandal()])
    assert work.calls == [7]
    assert records[1]["decision"]["tool_call"]["args"] == {"n": 7}


def test_a_tool_and_a_model_that_change_what_they_are_shown_change_no_record() -> None:
    def vandal(n: int, note: Any = None) -> str:
        note.clear()
        return "ok"

    schema = {**NUMBER, "properties": {**NUMBER["properties"], "note": {"type": "array"}}}  # type: ignore[dict-item]
    tools = ToolRegistry([Tool("work", "Work.", schema, vandal)])
    script = FakeLLM([Decision("t", tool_call=ToolCall("work", {"n": 1, "note": [1]})), answer()])

    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        decision = script(task, history)
        for step in history:
            step["decision"]["tool_call"]["args"]["n"] = 99
        return decision

    trace = Trace()
    run("t", llm, tools, trace=trace)
    assert trace.records[1]["decision"]["tool_call"]["args"] == {"n": 1, "note": [1]}


# --- budget and failures ----------------------------------------------------------------------------------------------


def test_a_budget_of_0_asks_the_model_nothing() -> None:
    ended, records = played([], max_steps=0)
    assert (ended.status, ended.steps_used, ended.mean_score) == ("budget_exhausted", 0, None)
    assert [record["type"] for record in records] == ["run_start", "run_end"]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(kinds=st.lists(st.sampled_from(["ok", "refused", "unknown", "blocked"]), max_size=7), limit=st.integers(1, 4))
def test_only_failures_in_a_row_end_a_run_and_unknown_and_blocked_ones_count(kinds: list[str], limit: int) -> None:
    def fn(n: int) -> int:
        if n < 0:
            raise ToolError("work", "n is negative")
        return n

    made = {"ok": call(1), "refused": call(-1), "unknown": call(1, "wrok"), "blocked": call("1")}
    ended, _ = played([*(made[kind] for kind in kinds), answer()], Work(fn), max_failures=limit)
    row, due = 0, None
    for used, kind in enumerate(kinds, 1):
        row = 0 if kind == "ok" else row + 1
        if row == limit:
            due = used
            break
    assert (ended.status, ended.steps_used) == (("failed", due) if due else ("completed", len(kinds) + 1))
    assert ended.error is None


def test_max_failures_none_never_ends_a_run() -> None:
    assert played([call("x")] * 5, max_steps=5, max_failures=None)[0].status == "budget_exhausted"


def test_a_tool_error_is_an_observation_and_the_run_goes_on() -> None:
    def fn(n: int) -> int:
        raise ToolError("work", "no such number", ["1"])

    ended, records = played([call(), answer()], Work(fn))
    assert ended.status == "completed"
    assert records[1]["observation"] == {"ok": False, "content": "work: no such number (have: 1)"}


def test_a_model_that_may_spend_no_more_ends_the_run_as_budget_exhausted_and_says_why() -> None:
    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        if history:
            raise OutOfBudgetError("the cap of 1 USD is reached")
        return call()

    trace = Trace()
    ended = run("t", llm, Work().tools, trace=trace)
    assert (ended.status, ended.error, ended.steps_used) == ("budget_exhausted", "the cap of 1 USD is reached", 1)
    well_ended(trace)


# --- the kill switch --------------------------------------------------------------------------------------------------


def test_a_kill_switch_that_is_set_before_the_run_lets_no_model_be_called() -> None:
    kill = threading.Event()
    kill.set()
    ended, _ = played([], kill=kill)
    assert (ended.status, ended.steps_used) == ("killed", 0)


def test_a_switch_set_during_a_model_call_lets_no_tool_be_called_and_the_step_says_so() -> None:
    kill, work = threading.Event(), Work()

    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        kill.set()
        return call()

    trace = Trace()
    ended = run("t", llm, work.tools, trace=trace, kill=kill)
    assert (ended.status, ended.steps_used, work.calls) == ("killed", 1, [])
    assert trace.records[1]["observation"] is None
    well_ended(trace)


def test_a_switch_set_during_a_tool_call_keeps_its_result_and_asks_no_model_again() -> None:
    kill = threading.Event()
    work = Work(lambda n: kill.set() or "kept")
    ended, records = played([call()], work, kill=kill)  # the script has no second reply to give
    assert (ended.status, ended.steps_used) == ("killed", 1)
    assert records[1]["observation"] == {"ok": True, "content": "kept"}


def test_a_switch_set_by_another_thread_while_a_tool_waits_stops_within_that_call() -> None:
    kill, inside = threading.Event(), threading.Event()

    def fn(n: int) -> str:
        inside.set()
        kill.wait(10)
        return "woken"

    def switch() -> None:
        inside.wait(10)
        kill.set()

    work = Work(fn)
    other = threading.Thread(target=switch)
    other.start()
    ended, _ = played([call()] * 3, work, kill=kill)
    other.join()
    assert (ended.status, work.calls) == ("killed", [1])


def test_a_switch_set_by_another_thread_while_the_model_waits_stops_within_that_call() -> None:
    kill, inside, work, trace = threading.Event(), threading.Event(), Work(), Trace()

    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        inside.set()
        kill.wait(10)
        return call()

    ends: list[Run] = []
    worker = threading.Thread(target=lambda: ends.append(run("t", llm, work.tools, trace=trace, kill=kill)))
    worker.start()
    inside.wait(10)
    kill.set()
    worker.join(10)
    assert ([ended.status for ended in ends], work.calls) == (["killed"], [])
    well_ended(trace)


def test_ctrl_c_inside_a_tool_is_raised_again_and_the_trace_says_that_the_result_is_not_known() -> None:
    def fn(n: int) -> str:
        _thread.interrupt_main()  # what the terminal does on Ctrl+C
        return "never seen" + "".join(str(n) for _ in range(10))

    trace = Trace()
    with pytest.raises(KeyboardInterrupt):
        run("t", FakeLLM([call()] * 3), Work(fn).tools, trace=trace)
    assert trace.records[1]["observation"]["ok"] is False
    end = well_ended(trace)
    assert (end["status"], end["error"], end["steps_used"]) == ("killed", "interrupted", 1)


def test_ctrl_c_inside_a_model_is_raised_again_and_the_trace_ends_well() -> None:
    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        raise KeyboardInterrupt

    trace = Trace()
    with pytest.raises(KeyboardInterrupt):
        run("t", llm, Work().tools, trace=trace)
    assert well_ended(trace)["status"] == "killed"


# --- crashes ----------------------------------------------------------------------------------------------------------


def crashed(llm: Any, error: type[BaseException], tools: ToolRegistry | None = None, **options: Any) -> list[Record]:
    trace = Trace()
    with pytest.raises(error):
        run("t", llm, tools or Work().tools, trace=trace, **options)
    assert well_ended(trace)["status"] == "failed"
    return trace.records


def test_a_tool_that_breaks_is_recorded_and_its_defect_raised_again() -> None:
    def fn(n: int) -> int:
        raise ZeroDivisionError("n is zero")

    records = crashed(FakeLLM([call()]), ZeroDivisionError, Work(fn).tools)
    assert records[1]["observation"] == {
        "ok": False,
        "content": "tool 'work' raised ZeroDivisionError: n is zero",
    }
    assert records[-1]["error"] == "ZeroDivisionError: n is zero"


def test_a_model_that_breaks_leaves_no_step_and_a_run_end_with_the_error() -> None:
    records = crashed(FakeLLM([]), RuntimeError)
    assert [record["type"] for record in records] == ["run_start", "run_end"]
    assert records[-1]["error"].startswith("ScriptExhaustedError: ")


def test_a_verifier_that_breaks_leaves_the_step_and_the_call_that_never_began() -> None:
    class Broken:
        name, phase = "broken", "pre_act"

        def judge(self, ctx: StepContext) -> Judgment:
            raise LookupError("the rule book is gone")

    work = Work()
    records = crashed(FakeLLM([call()]), LookupError, work.tools, verifiers=[Broken()])
    assert (records[1]["observation"], work.calls) == (None, [])


def test_a_verifier_that_breaks_after_the_act_does_not_lose_the_result() -> None:
    class Broken:
        name, phase = "broken", "post_act"

        def judge(self, ctx: StepContext) -> Judgment:
            raise LookupError("the rule book is gone")

    records = crashed(FakeLLM([call(4)]), LookupError, verifiers=[Broken()])
    assert records[1]["observation"] == {"ok": True, "content": 8}


def test_a_step_that_breaks_before_its_call_does_not_show_the_result_of_the_step_before() -> None:
    class Broken:
        name, phase = "broken", "pre_act"

        def judge(self, ctx: StepContext) -> Judgment:
            if ctx.step:
                raise LookupError("the rule book is gone")
            return Judgment(1, True, "fine")

    records = crashed(FakeLLM([call(4), call(5)]), LookupError, verifiers=[Broken()])
    assert [step["observation"] for step in steps_of(records)] == [{"ok": True, "content": 8}, None]


@pytest.mark.parametrize("reply", [None, {"answer": "42"}, "42"])
def test_a_model_that_returns_no_decision_is_a_defect(reply: Any) -> None:
    records = crashed(lambda task, history: reply, TypeError)
    assert "a model decides with a Decision" in records[-1]["error"]


@pytest.mark.parametrize("decision", [Decision("t", answer=42), Decision(None, answer="42")])  # type: ignore[arg-type]
def test_a_decision_in_anything_but_text_is_a_defect(decision: Decision) -> None:
    records = crashed(lambda task, history: decision, TypeError)
    assert "a decision's thought and its answer are texts" in records[-1]["error"]


def test_a_verifier_that_returns_no_judgment_is_a_defect() -> None:
    class Loose:
        name, phase = "loose", "pre_act"

        def judge(self, ctx: StepContext) -> Any:
            return True

    assert "verifier 'loose' returned bool" in crashed(FakeLLM([call()]), TypeError, verifiers=[Loose()])[-1]["error"]


@pytest.mark.parametrize("decision", [call(float("nan")), answer("\ud800"), call({1, 2})])
def test_a_decision_that_no_trace_can_hold_is_a_defect(decision: Decision) -> None:
    records = crashed(lambda task, history: decision, ValueError)
    assert "the decision cannot be recorded: decision." in records[-1]["error"]


def test_a_sink_that_fails_stops_the_run_with_its_own_error() -> None:
    class Full(Trace):
        def write(self, record: Record) -> None:
            if len(self.records) == 1:
                raise OSError("no space left")
            super().write(record)

    with pytest.raises(OSError, match="no space left"):
        run("t", FakeLLM([call()]), Work().tools, trace=Full())


def test_a_run_end_that_could_not_be_written_is_not_followed_by_another() -> None:
    class Flaky(Trace):
        attempts = 0

        def write(self, record: Record) -> None:
            if record["type"] == "run_end":
                self.attempts += 1
                if self.attempts == 1:
                    raise OSError("no space left")
            super().write(record)

    sink = Flaky()
    with pytest.raises(OSError, match="no space left"):
        run("t", FakeLLM([answer()]), Work().tools, trace=sink)
    assert sink.attempts == 1


@pytest.mark.parametrize(
    "options,said",
    [({"max_steps": -1}, "max_steps"), ({"max_steps": True}, "max_steps"), ({"max_failures": 0}, "max_failures")],
)
def test_a_limit_that_cannot_be_used_is_refused_before_anything_is_written(options: dict[str, Any], said: str) -> None:
    trace = Trace()
    with pytest.raises(ValueError, match=said):
        run("t", FakeLLM([]), Work().tools, trace=trace, **options)
    assert trace.records == []


def test_a_task_that_no_trace_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="a task is a text"):
        run("\ud800", FakeLLM([]), Work().tools)


# --- on disk ----------------------------------------------------------------------------------------------------------


def test_each_step_is_on_disk_before_the_next_model_call(tmp_path: Path) -> None:
    path, counts = tmp_path / "t.jsonl", []
    script = FakeLLM([call(), call(2), answer()])

    def llm(task: str, history: list[dict[str, Any]]) -> Decision:
        counts.append(len(path.read_bytes().splitlines()))
        return script(task, history)

    with TraceWriter(path) as trace:
        run("t", llm, Work().tools, trace=trace)
    assert counts == [1, 2, 3]
    assert json.loads(path.read_bytes().splitlines()[-1])["status"] == "completed"
