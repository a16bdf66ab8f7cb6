"""The budgeted loop: every stop, their order, tool failures as data, and transcripts that depend on nothing else."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.demo import demo_tools
from course.errors import ToolError
from course.loops.budgeted import Budgets, Stop, estimate_tokens, run
from course.models import ModelReply, ScriptedModel, ToolCall
from course.retries import FailurePolicy
from course.tools import Tool, ToolRegistry
from course.transcript import Record, Transcript, TranscriptWriter, UnserialisableError, verify_records

ANYTHING = {"type": "object", "properties": {}, "additionalProperties": True}


def counted(fn: Any = None, name: str = "work") -> tuple[ToolRegistry, list[dict[str, Any]]]:
    """A registry of one tool that takes anything, and the list of the arguments that reached it."""
    calls: list[dict[str, Any]] = []

    def work(**args: Any) -> Any:
        calls.append(args)
        return fn(**args) if fn else "done"

    return ToolRegistry([Tool(name, "Work.", ANYTHING, work)]), calls


def asking(text: str = "working", times: int = 1, name: str = "work", **args: Any) -> ModelReply:
    return ModelReply(text, [ToolCall(name, args)] * times)


def played(
    replies: list[ModelReply], tools: ToolRegistry, budgets: Budgets | None = None, **options: Any
) -> tuple[Stop, list[Record]]:
    transcript = Transcript()
    stop = run("the task", ScriptedModel(replies), tools, budgets, transcript=transcript, **options)
    assert verify_records(transcript.records) == []
    assert transcript.records[-1]["payload"]["reason"] == stop.reason
    assert stop.steps == sum(record["kind"] == "assistant" for record in transcript.records)
    assert stop.calls == sum(record["kind"] == "tool" for record in transcript.records)
    return stop, transcript.records


def kinds(records: list[Record]) -> list[str]:
    return [record["kind"] for record in records]


# --- stops ------------------------------------------------------------------------------------------------------------


def test_a_turn_without_tool_calls_is_the_ordinary_end_and_its_text_the_answer() -> None:
    tools, calls = counted()
    stop, records = played([asking(), ModelReply("It is done.")], tools)
    assert (stop.reason, stop.answer, stop.steps, stop.calls) == ("no_tool_calls", "It is done.", 2, 1)
    assert kinds(records) == ["task", "assistant", "tool", "assistant", "stop"]
    assert calls == [{}]


def test_an_empty_text_without_tool_calls_is_an_answer_too() -> None:
    stop, _ = played([ModelReply("")], counted()[0])
    assert (stop.reason, stop.answer, stop.tokens) == ("no_tool_calls", "", 1)


def test_the_sentinel_in_the_assistants_own_text_ends_the_run_and_the_tool_never_runs() -> None:
    tools, calls = counted()
    stop, records = played([asking("All DONE here")], tools, Budgets(stop_sentinel="DONE"))
    assert (stop.reason, stop.answer) == ("sentinel", "All DONE here")
    assert calls == [] and kinds(records) == ["task", "assistant", "stop"]


def test_the_sentinel_in_a_tools_output_means_nothing() -> None:
    tools, calls = counted(lambda: "DONE")
    stop, _ = played([asking(), ModelReply("The tool said something.")], tools, Budgets(stop_sentinel="DONE"))
    assert (stop.reason, len(calls)) == ("no_tool_calls", 1)


def test_the_sentinel_in_a_calls_arguments_means_nothing() -> None:
    tools, calls = counted()
    stop, _ = played([asking(note="DONE"), ModelReply("ok")], tools, Budgets(stop_sentinel="DONE"))
    assert (stop.reason, len(calls)) == ("no_tool_calls", 1)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(max_steps=st.integers(0, 6), wanted=st.integers(0, 8))
def test_steps_never_exceed_max_steps_and_equal_the_assistant_records(max_steps: int, wanted: int) -> None:
    tools, calls = counted()
    script = [asking() for _ in range(wanted)] + [ModelReply("end")]
    stop, _ = played(script, tools, Budgets(max_steps=max_steps))
    assert stop.steps == min(max_steps, wanted + 1)
    assert stop.reason == ("no_tool_calls" if wanted < max_steps else "step_budget")
    assert len(calls) == min(max_steps, wanted)


def test_a_step_budget_of_zero_asks_the_model_nothing() -> None:
    def model(messages: Any, manifest: Any) -> ModelReply:
        raise AssertionError("the model was asked")

    transcript = Transcript()
    stop = run("t", model, counted()[0], Budgets(max_steps=0), transcript=transcript)
    assert (stop.reason, stop.steps, stop.answer) == ("step_budget", 0, None)
    assert kinds(transcript.records) == ["task", "stop"]


@pytest.mark.parametrize(
    "text,tokens", [("", 1), ("abc", 1), ("abcd", 1), ("abcdefg", 1), ("abcdefgh", 2), ("x" * 400, 100)]
)
def test_the_token_estimate_is_a_quarter_of_the_characters_and_at_least_one(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_the_token_budget_must_be_exceeded_and_its_turn_is_recorded_without_its_tools() -> None:
    tools, calls = counted()
    stop, records = played([asking("x" * 40), asking("x" * 40), asking("x" * 4)], tools, Budgets(max_tokens=20))
    assert (stop.reason, stop.tokens, stop.steps, stop.answer) == ("token_budget", 21, 3, None)
    assert len(calls) == 2
    assert kinds(records)[-2:] == ["assistant", "stop"]


def test_a_turn_that_reaches_the_token_budget_exactly_goes_on() -> None:
    tools, calls = counted()
    stop, _ = played([asking("x" * 40), ModelReply("x" * 40)], tools, Budgets(max_tokens=20))
    assert (stop.reason, stop.tokens, len(calls)) == ("no_tool_calls", 20, 1)


def test_turns_of_empty_text_use_up_the_token_budget() -> None:
    tools, calls = counted()
    stop, _ = played([asking("")] * 5, tools, Budgets(max_tokens=3))
    assert (stop.reason, stop.tokens, len(calls)) == ("token_budget", 4, 3)


@pytest.mark.parametrize("done,tool,over", list(itertools.product([False, True], repeat=3)))
def test_within_a_turn_the_order_is_sentinel_then_no_tool_calls_then_token_budget(
    done: bool, tool: bool, over: bool
) -> None:
    text = ("DONE" if done else "more") + "x" * (400 if over else 0)
    tools, calls = counted()
    script = [ModelReply(text, [ToolCall("work")] if tool else []), ModelReply("end")]
    stop, _ = played(script, tools, Budgets(max_tokens=50, stop_sentinel="DONE"))
    expected = "sentinel" if done else "no_tool_calls" if not tool else "token_budget" if over else "no_tool_calls"
    assert stop.reason == expected
    assert (stop.answer is None) == (expected == "token_budget")
    assert len(calls) == (1 if tool and not done and not over else 0)


def test_a_model_that_raises_is_a_recorded_stop_and_no_step() -> None:
    def model(messages: Any, manifest: Any) -> ModelReply:
        raise ConnectionError("no route")

    transcript = Transcript()
    stop = run("t", model, counted()[0], transcript=transcript)
    assert (stop.reason, stop.detail, stop.steps) == ("model_error", "ConnectionError: no route", 0)
    assert kinds(transcript.records) == ["task", "stop"]


@pytest.mark.parametrize("reply", [None, "text", {"text": "hi", "tool_calls": []}, 3, ModelReply])
def test_a_model_that_returns_no_model_reply_is_a_model_error(reply: Any) -> None:
    transcript = Transcript()
    stop = run("t", lambda messages, manifest: reply, counted()[0], transcript=transcript)
    assert stop.reason == "model_error"
    assert stop.detail == f"expected a ModelReply, got {type(reply).__name__}"


def test_a_reply_that_cannot_be_recorded_is_a_model_error_and_nothing_runs() -> None:
    tools, calls = counted()
    for reply in (ModelReply("\ud800"), asking(x=float("nan")), asking(x={1})):
        stop, records = played([reply], tools)
        assert stop.reason == "model_error" and "cannot be recorded" in stop.detail
        assert kinds(records) == ["task", "stop"]
    assert calls == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_a_keyboard_interrupt_is_not_swallowed_in_the_model_or_in_a_tool(error: type[BaseException]) -> None:
    def interrupt(*_: Any, **__: Any) -> Any:
        raise error

    with pytest.raises(error):
        run("t", interrupt, counted()[0])
    with pytest.raises(error):
        run("t", ScriptedModel([asking()]), counted(interrupt)[0])


def test_a_script_that_runs_out_is_a_model_error_that_says_so() -> None:
    stop, _ = played([asking()], counted()[0])
    assert stop.reason == "model_error" and "ScriptExhaustedError" in stop.detail


# --- cost cap and kill switch -----------------------------------------------------------------------------------------


def test_the_cost_cap_is_looked_at_before_each_model_call() -> None:
    tools, calls = counted()
    stop, _ = played([asking()] * 9, tools, Budgets(max_cost=20, turn_price=10))
    assert (stop.reason, stop.steps, stop.cost) == ("cost_budget", 2, 20)
    assert len(calls) == 1  # the second turn used up the rest, so its tool did not run


def test_the_cost_cap_is_looked_at_before_each_tool_call_of_a_batch() -> None:
    tools, calls = counted()
    stop, _ = played([asking(times=5)], tools, Budgets(max_cost=3, call_price=1))
    assert (stop.reason, stop.calls, stop.cost, len(calls)) == ("cost_budget", 3, 3, 3)


def test_a_reply_that_is_of_no_use_was_paid_for() -> None:
    stop = run("t", lambda messages, manifest: None, counted()[0], Budgets(turn_price=7))  # type: ignore[arg-type]
    assert (stop.reason, stop.cost) == ("model_error", 7)


def test_a_failed_call_was_paid_for() -> None:
    stop, _ = played([asking(name="none", times=2), ModelReply("end")], counted()[0], Budgets(call_price=5))
    assert (stop.cost, stop.calls) == (10, 2)


def test_a_cost_cap_of_zero_buys_nothing() -> None:
    stop, records = played([ModelReply("hi")], counted()[0], Budgets(max_cost=0))
    assert (stop.reason, stop.steps) == ("cost_budget", 0) and kinds(records) == ["task", "stop"]


def test_the_kill_switch_is_looked_at_before_the_first_model_call() -> None:
    kill = threading.Event()
    kill.set()
    stop, records = played([ModelReply("hi")], counted()[0], kill=kill)
    assert (stop.reason, stop.answer) == ("killed", None) and kinds(records) == ["task", "stop"]


def test_the_kill_switch_ends_a_batch_before_its_next_call() -> None:
    kill = threading.Event()
    tools, calls = counted(lambda: kill.set())
    stop, records = played([asking(times=4)], tools, kill=kill)
    assert (stop.reason, len(calls)) == ("killed", 1)
    assert kinds(records) == ["task", "assistant", "tool", "stop"]


def test_a_switch_set_while_the_model_thinks_keeps_its_tools_from_running() -> None:
    kill = threading.Event()
    tools, calls = counted()

    def model(messages: Any, manifest: Any) -> ModelReply:
        kill.set()
        return asking()

    stop = run("t", model, tools, kill=kill)
    assert (stop.reason, stop.steps, calls) == ("killed", 1, [])


def test_a_kill_comes_before_every_other_reason_not_to_begin_a_turn() -> None:
    kill = threading.Event()
    kill.set()
    assert played([], counted()[0], Budgets(max_steps=0, max_cost=0), kill=kill)[0].reason == "killed"
    assert played([], counted()[0], Budgets(max_steps=0, max_cost=0))[0].reason == "cost_budget"


# --- tool failures are data -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name,args,error",
    [
        ("multiply", {}, "no tool named 'multiply' (have: add, echo, fail, greet)"),
        ("add", {"a": "2", "b": 3}, "invalid arguments: $.add.a: expected type integer, got str"),
        ("add", {"a": True, "b": 3}, "invalid arguments: $.add.a: expected type integer, got bool"),
        ("fail", {}, "tool 'fail' raised RuntimeError: the tool is broken on purpose"),
    ],
)
def test_a_failure_is_a_tool_record_with_exactly_this_error_and_the_loop_goes_on(
    name: str, args: dict[str, Any], error: str
) -> None:
    stop, records = played([asking(name=name, **args), ModelReply("I saw that.")], demo_tools())
    assert records[2]["kind"] == "tool"
    assert records[2]["payload"] == {"name": name, "args": args, "attempt": 1, "ok": False, "error": error}
    assert (stop.reason, stop.answer) == ("no_tool_calls", "I saw that.")


@pytest.mark.parametrize(
    "result", [float("nan"), float("inf"), {1, 2}, object(), b"x", {1: 2}, "\ud800"], ids=lambda v: type(v).__name__
)
def test_a_result_that_json_cannot_hold_is_a_failure_and_the_loop_goes_on(result: Any) -> None:
    tools, calls = counted(lambda: result)
    stop, records = played([asking(), ModelReply("I saw that.")], tools)
    assert records[2]["payload"]["ok"] is False
    assert records[2]["payload"]["error"].startswith("tool 'work' returned what JSON cannot hold: ")
    assert (stop.reason, len(calls)) == ("no_tool_calls", 1)


def test_a_result_as_deep_as_json_may_be_is_too_deep_for_a_record_and_that_is_a_failure() -> None:
    deep: Any = 0
    for _ in range(100):
        deep = [deep]
    stop, records = played([asking(), ModelReply("ok")], counted(lambda: deep)[0])
    assert records[2]["payload"]["error"].startswith("tool 'work' returned what a record cannot hold: ")
    assert stop.reason == "no_tool_calls"


def test_a_tool_error_is_recorded_in_its_own_words() -> None:
    def refuse() -> None:
        raise ToolError("work", "no such page", ["b", "a"])

    _, records = played([asking(), ModelReply("ok")], counted(refuse)[0])
    assert records[2]["payload"]["error"] == "work: no such page (have: a, b)"


def test_an_exception_whose_text_cannot_be_recorded_is_recorded_all_the_same() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    for error in (Mute(), ValueError("\ud800"), ValueError("x" * 10**6)):

        def raise_it(error: Exception = error) -> None:
            raise error

        _, records = played([asking(), ModelReply("ok")], counted(raise_it)[0])
        assert records[2]["payload"]["error"].startswith(f"tool 'work' raised {type(error).__name__}: ")
        assert len(records[2]["payload"]["error"]) < 3000


def test_a_null_result_is_a_success() -> None:
    _, records = played([asking(), ModelReply("ok")], counted(lambda: None)[0])
    assert records[2]["payload"] == {"name": "work", "args": {}, "attempt": 1, "ok": True, "result": None}


def test_several_calls_run_in_declared_order_and_a_failure_among_them_stops_none() -> None:
    tools, calls = counted()
    batch = [ToolCall("work", {"n": 1}), ToolCall("none"), ToolCall("work", {"n": 2}), ToolCall("work", {"n": 2})]
    _, records = played([ModelReply("go", batch), ModelReply("end")], tools)
    assert calls == [{"n": 1}, {"n": 2}, {"n": 2}]
    assert [record["payload"]["ok"] for record in records if record["kind"] == "tool"] == [True, False, True, True]


def test_a_policy_that_lets_defects_through_records_them_and_stops_first() -> None:
    def broken() -> None:
        raise KeyError("mine")

    transcript = Transcript()
    with pytest.raises(KeyError, match="mine"):
        run(
            "t",
            ScriptedModel([asking(times=2)]),
            counted(broken)[0],
            policy=FailurePolicy(on_defect="raise"),
            transcript=transcript,
        )
    assert kinds(transcript.records) == ["task", "assistant", "tool", "stop"]
    assert transcript.records[2]["payload"]["error"] == "tool 'work' raised KeyError: 'mine'"
    assert transcript.records[3]["payload"]["reason"] == "tool_defect"


def test_such_a_policy_still_feeds_a_tool_error_back() -> None:
    def refuse() -> None:
        raise ToolError("work: no")

    stop, _ = played([asking(), ModelReply("ok")], counted(refuse)[0], policy=FailurePolicy(on_defect="raise"))
    assert stop.reason == "no_tool_calls"


# --- what the model is shown ------------------------------------------------------------------------------------------


def test_the_model_is_shown_the_task_its_own_turns_and_what_each_tool_answered() -> None:
    shown: list[Any] = []
    script = ScriptedModel([ModelReply("go", [ToolCall("add", {"a": 1, "b": 2}), ToolCall("fail")]), ModelReply("end")])

    def model(messages: Any, manifest: Any) -> ModelReply:
        shown.append((messages, manifest))
        return script(messages, manifest)

    run("the task", model, demo_tools())
    assert shown[0] == ([{"role": "user", "content": "the task"}], demo_tools().manifest())
    asked = [{"name": "add", "args": {"a": 1, "b": 2}}, {"name": "fail", "args": {}}]
    error = "tool 'fail' raised RuntimeError: the tool is broken on purpose"
    assert shown[1][0][1:] == [
        {"role": "assistant", "content": "go", "tool_calls": asked},
        {"role": "tool", "name": "add", "ok": True, "content": 3},
        {"role": "tool", "name": "fail", "ok": False, "content": error},
    ]


def test_a_model_and_a_tool_that_change_what_they_are_given_change_nothing_else() -> None:
    def model(messages: Any, manifest: Any) -> ModelReply:
        asked = len(messages)
        messages.clear()
        manifest.clear()
        return asking(items=[1]) if asked == 1 else ModelReply("end")

    def spoil(items: list[int]) -> list[int]:
        items.append(2)
        return items

    transcript = Transcript()
    tools, _ = counted(spoil)
    stop = run("t", model, tools, transcript=transcript)
    assert stop.reason == "no_tool_calls"
    assert transcript.records[2]["payload"]["args"] == {"items": [1]}
    assert len(transcript.records[0]["payload"]["manifest"]) == 1


def test_records_are_written_as_they_happen_not_at_the_end() -> None:
    transcript = Transcript()
    seen: list[list[str]] = []
    tools, _ = counted(lambda: seen.append(kinds(transcript.records)))
    run("t", ScriptedModel([asking(times=2), ModelReply("end")]), tools, transcript=transcript)
    assert seen == [["task", "assistant"], ["task", "assistant", "tool"]]


def test_the_first_record_holds_what_the_run_depends_on_and_the_last_how_it_ended() -> None:
    _, records = played([ModelReply("end")], demo_tools(), Budgets(max_tokens=50))
    assert records[0]["payload"]["task"] == "the task"
    assert records[0]["payload"]["manifest"] == demo_tools().manifest()
    assert records[0]["payload"]["budgets"]["max_tokens"] == 50
    assert set(records[-1]["payload"]) == {"reason", "detail", "answer", "steps", "calls", "tokens", "cost"}


def test_a_task_that_json_cannot_hold_is_the_callers_mistake() -> None:
    with pytest.raises(UnserialisableError):
        run("\ud800", ScriptedModel([ModelReply("hi")]), demo_tools())


@pytest.mark.parametrize(
    "options",
    [
        {"max_steps": -1},
        {"max_steps": None},
        {"max_steps": True},
        {"max_tokens": 1.5},
        {"max_cost": -1},
        {"call_price": None},
    ],
    ids=str,
)
def test_a_budget_that_is_no_count_is_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Budgets(**options)


def test_an_empty_sentinel_would_end_every_run_and_is_refused() -> None:
    with pytest.raises(ValueError, match="stop_sentinel"):
        Budgets(stop_sentinel="")


# --- determinism ------------------------------------------------------------------------------------------------------

replies = st.builds(
    ModelReply,
    st.text(max_size=40),
    st.lists(
        st.builds(
            ToolCall,
            st.sampled_from(["add", "echo", "fail", "greet", "none"]),
            st.dictionaries(
                st.sampled_from(["a", "b", "text", "name"]), st.integers() | st.text(max_size=3), max_size=2
            ),
        ),
        max_size=3,
    ),
)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(script=st.lists(replies, max_size=6), steps=st.integers(0, 5), tokens=st.none() | st.integers(0, 30))
def test_whatever_the_model_asks_the_run_ends_verifies_and_is_equal_byte_for_byte_when_run_again(
    script: list[ModelReply], steps: int, tokens: int | None
) -> None:
    def once() -> Transcript:
        transcript = Transcript()
        run("t", ScriptedModel(script), demo_tools(), Budgets(steps, tokens, "é"), transcript=transcript)
        return transcript

    first = once()
    assert verify_records(first.records) == []
    assert first.records[-1]["kind"] == "stop"
    assert first.to_bytes() == once().to_bytes()


def test_a_run_written_straight_to_a_file_has_the_bytes_of_one_kept_in_memory(tmp_path: Path) -> None:
    script = [asking("go", name="add", a=1, b=2), ModelReply("end")]
    in_memory = Transcript()
    run("t", ScriptedModel(script), demo_tools(), transcript=in_memory)
    with TranscriptWriter(tmp_path / "run.jsonl") as on_disk:
        run("t", ScriptedModel(script), demo_tools(), transcript=on_disk)
    assert (tmp_path / "run.jsonl").read_bytes() == in_memory.to_bytes()


def test_two_processes_with_two_hash_seeds_write_the_same_bytes() -> None:
    program = (
        "import sys; from course.demo import DEMOS; from course.incidents import INCIDENTS, replay; "
        "sys.stdout.buffer.write(b''.join(d.transcript().to_bytes() for d in DEMOS.values()) + "
        "b''.join(replay(name).to_bytes() for name in INCIDENTS))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1 and len(outputs.pop()) > 10_000
