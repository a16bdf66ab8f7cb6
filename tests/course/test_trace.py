"""The trace on its own: written record by record, read strictly, replayed without a tool, compared step by step."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.errors import ToolError
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.tools import Tool, ToolRegistry
from course.trace import (
    Record,
    Trace,
    TraceError,
    TraceWriter,
    diff,
    mean_score,
    read,
    replay,
    steps_of,
    was_blocked,
    was_called,
    why_no_record,
)

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
CALLS: list[int] = []


def work(n: int) -> int:
    CALLS.append(n)
    if n == 13:
        raise ToolError("work", "13 is refused")
    return n * 2


TOOLS = ToolRegistry([Tool("work", "Work.", NUMBER, work)])


def call(n: Any) -> Decision:
    return Decision("calling", tool_call=ToolCall("work", {"n": n}))


def traced(*decisions: Decision, **options: Any) -> list[Record]:
    trace = Trace()
    run("the task", FakeLLM(decisions), TOOLS, trace=trace, **options)
    return trace.records


DONE = Decision("answering", answer="84")
COMPLETED = traced(call(42), call("x"), DONE)


def changed(records: list[Record], index: int, **values: Any) -> list[Record]:
    records = copy.deepcopy(records)
    records[index].update(values)
    return records


# --- writing and reading ----------------------------------------------------------------------------------------------


def test_a_file_reads_back_as_the_records_that_were_written(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path) as trace:
        run("Übung\n2", FakeLLM([call(1), DONE]), TOOLS, trace=trace)
    in_memory = Trace()
    run("Übung\n2", FakeLLM([call(1), DONE]), TOOLS, trace=in_memory)
    assert read(path) == in_memory.records
    assert path.read_bytes() == in_memory.to_bytes()
    assert b"\r" not in path.read_bytes() and "Übung".encode() in path.read_bytes()


def test_a_record_is_taken_by_value() -> None:
    trace, record = Trace(), {"type": "run_start", "task": "t", "max_steps": 1, "ts": 0}
    trace.write(record)
    record["task"] = "another"
    assert trace.records[0]["task"] == "t"


def test_a_number_that_json_cannot_hold_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "t.jsonl") as trace, pytest.raises(ValueError):
        trace.write({"type": "run_start", "ts": float("nan")})
    assert (tmp_path / "t.jsonl").read_bytes() == b""


def test_a_writer_replaces_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("an older and longer trace\n" * 9, encoding="utf-8")
    with TraceWriter(path) as trace:
        trace.write(COMPLETED[0])
    assert read(path) == COMPLETED[:1]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the process is ended with SIGKILL, which Windows lacks")
def test_a_killed_process_leaves_every_step_that_was_done(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    code = f"""
import os, signal
from pathlib import Path
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import CALCULATOR
from course.tools import ToolRegistry
from course.trace import TraceWriter
script = FakeLLM([Decision("t", tool_call=ToolCall("calculator", {{"expression": "1+1"}}))] * 2)
def llm(task, history):
    if len(history) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return script(task, history)
run("t", llm, ToolRegistry([CALCULATOR]), trace=TraceWriter({os.fspath(path)!r}))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    records = read(path)
    assert [record["type"] for record in records] == ["run_start", "step", "step"]
    assert replay(records).mismatches == [
        "the last record is no run_end: the trace is cut, and how the run ended is not known"
    ]


def test_a_torn_last_line_is_named_and_the_records_before_it_are_kept(tmp_path: Path) -> None:
    trace = Trace()
    run("t", FakeLLM([call(1), DONE]), TOOLS, trace=trace)
    path = tmp_path / "t.jsonl"
    path.write_bytes(trace.to_bytes()[:-9])
    with pytest.raises(TraceError, match=r"line 4 was cut") as torn:
        read(path)
    assert torn.value.records == trace.records[:3]


@pytest.mark.parametrize("line", [b"{oops", b"\xff", b'{"type": NaN}', b"[" * 100_000])
def test_a_line_that_is_no_json_is_named(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(json.dumps(COMPLETED[0]).encode() + b"\n" + line + b"\n")
    with pytest.raises(TraceError, match="line 2 is no JSON") as bad:
        read(path)
    assert bad.value.records == COMPLETED[:1]


def test_a_missing_file_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.jsonl")


def _step(**values: Any) -> Record:
    return {**COMPLETED[1], **values}


@pytest.mark.parametrize(
    "record,said",
    [
        ([], "a record is an object"),
        ({"type": "stop"}, "whose type is one of run_start, step, run_end"),
        ({"type": ["step"]}, "whose type is one of"),
        ({**COMPLETED[0], "model": "x"}, "a run_start record has exactly the keys type, task, max_steps, ts"),
        ({**COMPLETED[0], "max_steps": True}, "max_steps is a whole number"),
        ({**COMPLETED[0], "ts": "noon"}, "ts is a number"),
        ({key: value for key, value in COMPLETED[-1].items() if key != "error"}, "a run_end record has exactly"),
        ({**COMPLETED[-1], "status": "ok"}, "status is one of completed, "),
        ({**COMPLETED[-1], "steps_used": -1}, "steps_used is a whole number"),
        ({**COMPLETED[-1], "answer": 42}, "answer and error are each a text or null"),
        ({**COMPLETED[-1], "error": ["no"]}, "answer and error are each a text or null"),
        ({**COMPLETED[0], "task": None}, "task is a text"),
        (_step(decision={"thought": "t", "tool_call": None, "answer": 42}), "thought and answer are texts"),
        (_step(decision={"thought": None, "tool_call": None, "answer": ""}), "thought and answer are texts"),
        (
            _step(decision={"thought": "t", "tool_call": {"tool": 1, "args": {}}, "answer": None}),
            "a tool_call has exactly",
        ),
        (_step(judgments=[{**COMPLETED[1]["judgments"][0], "reason": 1}]), "judgments are a list"),
        (_step(step=1.0), "step is a whole number"),
        (_step(decision={"thought": "t", "answer": "x"}), "a decision has exactly the keys"),
        (_step(decision={"thought": "t", "tool_call": None, "answer": None}), "exactly one of tool_call and answer"),
        (_step(decision={"thought": "t", "tool_call": {"tool": "x"}, "answer": None}), "a tool_call has exactly"),
        (
            _step(decision={"thought": "t", "tool_call": {"tool": "x", "args": {}}, "answer": ""}),
            "exactly one of tool_call and answer",
        ),
        (_step(observation={"ok": 1, "content": 2}), "an observation is null or"),
        (_step(observation={"ok": True}), "an observation is null or"),
        (_step(judgments={}), "judgments are a list"),
        (_step(judgments=[{**COMPLETED[1]["judgments"][0], "score": 1.5}]), "scores from 0 to 1"),
        (_step(judgments=[{**COMPLETED[1]["judgments"][0], "phase": "later"}]), "judgments are a list"),
        (_step(judgments=[{"verifier": "schema"}]), "judgments are a list"),
    ],
)
def test_a_record_of_another_shape_is_refused_with_what_is_due(record: Any, said: str) -> None:
    assert said in str(why_no_record(record))


# --- what a step says -------------------------------------------------------------------------------------------------


def test_a_blocked_call_was_not_called_and_a_refused_one_was() -> None:
    steps = steps_of(traced(call("x"), call(13), DONE))
    assert [was_blocked(step) for step in steps] == [True, False, False]
    assert [was_called(step) for step in steps] == [False, True, False]


def test_the_mean_counts_judgments_and_not_steps() -> None:
    def step(*scores: float) -> Record:
        return {"judgments": [{"score": score} for score in scores]}

    assert mean_score([step(1, 1), step(0)]) == pytest.approx(2 / 3)
    assert mean_score([step(), step()]) is None


# --- replay -----------------------------------------------------------------------------------------------------------


def test_replay_rebuilds_the_run_and_calls_no_tool() -> None:
    CALLS.clear()
    again = replay(COMPLETED)
    assert CALLS == []
    assert again.ok
    assert (again.task, again.status, again.answer, again.steps_used) == ("the task", "completed", "84", 3)
    assert again.mean_score == COMPLETED[-1]["mean_score"]
    assert again.steps == COMPLETED[1:-1]


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    script=st.lists(st.sampled_from([1, 13, "x", "answer"]), max_size=6),
    max_steps=st.integers(0, 6),
    max_failures=st.none() | st.integers(1, 3),
)
def test_every_run_that_ends_replays_without_a_mismatch(
    script: list[Any], max_steps: int, max_failures: int | None
) -> None:
    decisions = [DONE if one == "answer" else call(one) for one in script] + [DONE]
    records = traced(*decisions, max_steps=max_steps, max_failures=max_failures)
    before = list(CALLS)
    again = replay(records)
    assert before == CALLS
    assert again.mismatches == []
    assert (again.status, again.answer) == (records[-1]["status"], records[-1]["answer"])


@pytest.mark.parametrize(
    "values,said",
    [
        ({"answer": "85"}, 'answer: run_end says "85", the steps say "84"'),
        ({"answer": None}, 'answer: run_end says null, the steps say "84"'),
        ({"steps_used": 2}, "steps_used: run_end says 2, the steps say 3"),
        ({"mean_score": 1.0}, "mean_score: run_end says 1.0, the steps say "),
        ({"mean_score": None}, "mean_score: run_end says null, the steps say "),
        ({"mean_score": True}, "mean_score: run_end says true, the steps say "),
        ({"mean_score": "high"}, 'mean_score: run_end says "high", the steps say '),
        ({"status": "killed"}, "status: run_end says killed, and the last step is an answer"),
        ({"status": "budget_exhausted"}, "status: run_end says budget_exhausted after 3 of 8 steps"),
        ({"status": "failed"}, "status: run_end says failed, and the last step did not fail"),
    ],
)
def test_whatever_run_end_says_against_the_steps_is_a_mismatch(values: dict[str, Any], said: str) -> None:
    mismatches = replay(changed(COMPLETED, -1, **values)).mismatches
    assert any(mismatch.startswith(said) for mismatch in mismatches), mismatches


def test_a_completed_run_without_an_answer_is_a_mismatch() -> None:
    exhausted = traced(call(1), call(2), max_steps=2)
    assert replay(changed(exhausted, -1, status="completed", answer="all done")).mismatches == [
        'answer: run_end says "all done", the steps say null',
        "status: run_end says completed, and the last step is no answer",
    ]


def test_more_steps_than_the_budget_are_a_mismatch() -> None:
    assert "3 steps were used, and the budget was 2" in replay(changed(COMPLETED, 0, max_steps=2)).mismatches


def test_a_cut_trace_is_not_taken_for_a_whole_one_wherever_it_was_cut() -> None:
    for kept in range(len(COMPLETED)):
        again = replay(COMPLETED[:kept])
        assert any("the trace is cut" in mismatch for mismatch in again.mismatches)
        assert again.status is None


def test_a_trace_without_its_beginning_a_missing_step_and_records_after_the_end_are_mismatches() -> None:
    assert replay(COMPLETED[1:]).mismatches[0].startswith("the first record is no run_start")
    assert "a step says that it is step 2 where step 1 is due" in replay([*COMPLETED[:2], *COMPLETED[3:]]).mismatches
    doubled = [*COMPLETED, COMPLETED[-1]]
    assert f"record {len(COMPLETED) - 1} is a run_end in the midst of the steps" in replay(doubled).mismatches


def test_an_answer_after_which_the_run_went_on_is_a_mismatch() -> None:
    steps = [{**COMPLETED[3], "step": 0}, {**COMPLETED[3], "step": 1}]
    records = [COMPLETED[0], *steps, {**COMPLETED[-1], "steps_used": 2, "mean_score": mean_score(steps)}]
    assert replay(records).mismatches == ["step 0 is an answer, and yet the run went on"]


# --- diff -------------------------------------------------------------------------------------------------------------


def test_two_runs_that_differ_in_their_timestamps_alone_do_not_differ() -> None:
    clock = iter(range(1000, 2000)).__next__
    assert diff(COMPLETED, traced(call(42), call("x"), DONE, clock=clock)) is None


def test_the_first_step_and_field_in_which_two_runs_part_are_named() -> None:
    found = diff(COMPLETED, traced(call(42), call("y"), call(7), DONE))
    assert found is not None
    assert (found.where, found.field) == ("step 1", "decision.tool_call.args.n")
    assert (found.index, found.left, found.right) == (2, "x", "y")
    assert str(found) == 'step 1, decision.tool_call.args.n: "x" | "y"'


def test_a_run_that_goes_on_where_the_other_ended_parts_in_the_type_of_the_record() -> None:
    longer = traced(call(42), call("x"), call(7), DONE)
    found = diff(COMPLETED[:3] + COMPLETED[-1:], longer)
    assert found is not None and (found.where, found.field, found.left, found.right) == (
        "run_end",
        "type",
        "run_end",
        "step",
    )


def test_a_record_that_one_run_does_not_have_is_a_difference() -> None:
    found = diff(COMPLETED, COMPLETED[:-1])
    assert found is not None and (found.where, found.field, found.right) == ("run_end", "record", None)
    back = diff(COMPLETED[:-1], COMPLETED)
    assert back is not None and back.left is None


@pytest.mark.parametrize("one,other", [(1, 1.0), (1, True), (0, False), (None, False), ("1", 1), ([], {})])
def test_values_that_json_tells_apart_are_different(one: Any, other: Any) -> None:
    content = {"ok": True, "content": one}, {"ok": True, "content": other}
    pair = [changed(COMPLETED, 1, observation=observation) for observation in content]
    found = diff(*pair)
    assert found is not None and found.field == "observation.content"


@pytest.mark.parametrize(
    "one,other,field",
    [
        ([1, 2], [1, 3], "observation.content[1]"),
        ([1], [1, 2], "observation.content[1]"),
        ({"a": 1}, {"a": 1, "b": 2}, "observation.content.b"),
        ({"a b": {"c": 1}}, {"a b": {"c": 2}}, 'observation.content["a b"].c'),
    ],
)
def test_a_difference_inside_a_value_is_named_by_its_way(one: Any, other: Any, field: str) -> None:
    content = {"ok": True, "content": one}, {"ok": True, "content": other}
    found = diff(*(changed(COMPLETED, 1, observation=observation) for observation in content))
    assert found is not None and found.field == field


def test_key_order_is_no_difference() -> None:
    reordered = changed(COMPLETED, 1, observation={"content": COMPLETED[1]["observation"]["content"], "ok": True})
    assert diff(COMPLETED, reordered) is None


@settings(derandomize=True, max_examples=60, deadline=None)
@given(index=st.integers(0, len(COMPLETED) - 1), data=st.data())
def test_any_change_of_any_field_but_ts_is_found_at_its_record(index: int, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(set(COMPLETED[index]) - {"type", "ts"})))
    found = diff(COMPLETED, changed(COMPLETED, index, **{key: "something else"}))
    assert found is not None and (found.index, found.field) == (index, key)
