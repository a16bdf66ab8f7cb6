"""A run as a picture: what it shows of receipts, transcripts and traces, and how hostile values look in it."""

import json
import re

import pytest

from course.errors import ToolError
from course.incidents import load
from course.loops.receipts import receipt, run_loop
from course.trace import Trace
from course.transcript import Transcript
from course.view import show

HOSTILE = [
    "<script>alert(1)</script>",
    "x" * 10_000_000,
    "\u202egnp.exe",
    "line\nbreak\x00\x1b[31m",
    float("nan"),
    "🦀" * 500,
]


def failing(**_: object) -> str:
    raise ToolError("index: went away")


def test_a_receipt_is_its_steps_and_its_stop() -> None:
    run = run_loop(
        [{"tool": "look", "args": {"n": 1}}, {"tool": "index", "args": {}}, {"answer": "done"}],
        {"look": lambda n: n + 1, "index": failing},
        budget=5,
    )
    assert repr(show(run)).splitlines() == [
        "receipt",
        "  ✓ look({'n': 1}) -> 2",
        "  ■ stopped: tool_error -> stopped: index refused (index: went away)",
    ]


def test_a_tool_record_without_ok_went_well_where_it_holds_a_result() -> None:
    calls = [{"kind": "tool", "payload": {"name": "look", "args": {}, **came}} for came in ({"result": None}, {})]
    assert repr(show(calls)).splitlines()[1:] == ["  ✓ look({}) -> None", "  ✗ look({}) -> None"]


def test_an_answer_on_a_stop_that_was_no_answer_is_marked_as_bad() -> None:
    forged = receipt([], "budget", answer="done", refusal="no budget left")
    assert repr(show(forged)).splitlines()[-1] == "  ✗ stopped: budget -> answer done  and  no budget left"


def test_the_broken_link_of_a_chain_stands_before_its_record() -> None:
    transcript = Transcript()
    for number in range(4):
        transcript.append("tool", {"name": "look", "args": {"n": number}, "ok": True, "result": number})
    edited = json.loads(json.dumps(transcript.records))
    edited[2]["payload"]["result"] = 99
    lines = repr(show(edited)).splitlines()
    assert lines[3].startswith("    ╳ the chain is broken here: hash_mismatch")
    assert lines[4] == "  ✓ look({'n': 2}) -> 99"


def test_two_runs_side_by_side_are_marked_where_they_part() -> None:
    one = receipt([{"tool": "look", "args": {}, "result": 1}], "answered", answer="1")
    other = receipt([{"tool": "look", "args": {}, "result": 2}], "answered", answer="1")
    view = show(one, other)
    assert view.parts_at == 0
    assert repr(view).count("▸") == 2
    assert show(one, one).parts_at is None


def test_the_incident_in_which_a_guard_spoke_for_the_model_is_drawn_as_a_bad_stop() -> None:
    assert "✗ stopped: loop_guard" in repr(show(load("gaia-3750")))


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:12])
def test_a_hostile_value_is_one_short_escaped_line(value: object) -> None:
    view = show(receipt([{"tool": "look", "args": {"v": value}, "result": value}], "answered", answer="ok"))
    html, text = view._repr_html_(), repr(view)
    assert "<script" not in html
    assert len(html) < 5_000 and len(text.splitlines()) == 3
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", html + text)


def test_a_value_whose_repr_raises_is_named_by_its_type() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise KeyError("no")

    assert "<Broken that cannot be shown: KeyError>" in repr(show(receipt([], "answered", answer=Broken())))  # type: ignore[arg-type]


def test_the_html_holds_no_script_no_class_and_no_outside_address() -> None:
    html = show(load("glean-agent-toolkit-42"))._repr_html_()
    assert not re.search(r"<script|class=|https?://|<svg|<style", html)


def test_what_is_no_run_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="show takes a receipt, records or a path, not int"):
        show(5)


def retried() -> Transcript:
    transcript = Transcript()
    transcript.append("source", {"issue": "none"})
    transcript.append("task", {"task": "Look.", "manifest": [], "budgets": {"max_steps": 4, "max_tokens": 90}})
    call = {"name": "look", "args": {}}
    transcript.append("tool", {**call, "attempt": 1, "ok": False, "error": "answered after 9 s", "late": True})
    transcript.append("tool", {**call, "attempt": 2, "ok": True, "result": 7})
    stop = {"reason": "no_tool_calls", "detail": "", "answer": "7", "steps": 1, "calls": 2, "tokens": 30, "cost": 0}
    transcript.append("stop", stop)
    return transcript


def test_a_retry_a_late_answer_and_every_budget_are_shown() -> None:
    lines = repr(show(retried())).splitlines()
    assert lines[0] == "transcript, 1 of 4 steps used, 30 of 90 tokens used"
    assert lines[3] == "  ✗ look({}) -> too late: answered after 9 s"
    assert lines[4] == "  ✓ look({}), attempt 2 -> 7"
    assert show(retried())._repr_html_().count("<progress") == 2


def test_a_transcript_and_a_trace_draw_themselves() -> None:
    assert retried()._repr_mimebundle_() == show(retried())._repr_mimebundle_()
    trace = Trace()
    trace.write({"type": "run_start", "task": "Look.", "max_steps": 3, "ts": 0})
    shown = trace._repr_mimebundle_()
    assert "0 of 3 steps used" in shown["text/html"]
    assert "the records disagree: the last record is no run_end" in shown["text/plain"]


def test_two_chains_part_where_their_runs_do_and_not_at_every_hash_behind() -> None:
    one, other = retried(), Transcript()
    for record in one.records:
        payload = {**record["payload"], "issue": "another"} if record["seq"] == 0 else record["payload"]
        other.append(record["kind"], payload)
    view = show(one, other)
    assert view.parts_at == 0
    assert view._repr_html_().count("the same") == 4 and "they part here" in view._repr_html_()


@pytest.mark.parametrize("value", [7, b"bytes", {"no": "steps"}])
def test_what_is_no_run_is_refused_with_a_sentence(value: object) -> None:
    with pytest.raises(ValueError, match="show takes a receipt, records or a path, not"):
        show(value)
