"""The demo: three runs with 5, 11 and 9 records, failures where they belong, and a demo that can fail."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from course import demo as module
from course.demo import DEMOS, broken_claims
from course.loops.budgeted import Budgets
from course.transcript import Transcript, verify_file


def records_of(name: str) -> list[dict[str, Any]]:
    return DEMOS[name].transcript().records


def test_the_three_transcripts_have_5_11_and_9_records_and_verify_from_disk(tmp_path: Path) -> None:
    assert list(broken_claims(tmp_path)) == []
    counts = {path.name: verify_file(path).count for path in tmp_path.iterdir()}
    assert counts == {"demo-answer.jsonl": 5, "demo-recover.jsonl": 11, "demo-budget.jsonl": 9}
    assert all(verify_file(path).ok for path in tmp_path.iterdir())


def test_the_answer_is_one_call_and_one_answer() -> None:
    records = records_of("demo-answer.jsonl")
    assert [record["kind"] for record in records] == ["task", "assistant", "tool", "assistant", "stop"]
    assert records[4]["payload"]["answer"] == "2 + 3 is 5."


def test_the_recovery_fails_at_2_4_and_6_with_the_three_exact_errors_and_succeeds_at_8() -> None:
    records = records_of("demo-recover.jsonl")
    assert {
        record["seq"]: record["payload"]["error"] for record in records if record["payload"].get("ok") is False
    } == {
        2: "no tool named 'multiply' (have: add, echo, fail, greet)",
        4: "invalid arguments: $.add.a: expected type integer, got str",
        6: "tool 'fail' raised RuntimeError: the tool is broken on purpose",
    }
    assert [record["seq"] for record in records if record["payload"].get("ok")] == [8]
    assert records[8]["payload"]["result"] == 5 and records[10]["payload"]["reason"] == "no_tool_calls"


def test_the_budget_ends_with_a_recorded_turn_whose_tools_did_not_run() -> None:
    records = records_of("demo-budget.jsonl")
    assert [record["kind"] for record in records][-3:] == ["tool", "assistant", "stop"]
    assert records[7]["payload"]["tool_calls"] != []
    assert records[8]["payload"]["reason"] == "token_budget" and records[8]["payload"]["answer"] is None


BROKEN: dict[str, dict[str, Any]] = {
    "11 records, 12 were due": {"records": 12},
    "calls failed at seq (2, 4, 6), due at (2,)": {"failed_at": (2,)},
    "calls succeeded at seq (8,), due at ()": {"succeeded_at": ()},
    "the last record is no stop for sentinel": {"stop": "sentinel"},
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_claim_that_does_not_hold_is_named(sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(DEMOS["demo-recover.jsonl"], **BROKEN[sentence])
    monkeypatch.setitem(DEMOS, "demo-recover.jsonl", wrong)
    assert list(broken_claims(tmp_path)) == [f"demo-recover.jsonl: {sentence}"]


def test_a_run_that_stops_early_breaks_several_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DEMOS, "demo-recover.jsonl", replace(DEMOS["demo-recover.jsonl"], budgets=Budgets(max_steps=2)))
    assert len(list(broken_claims(tmp_path))) == 4


def test_a_second_run_with_other_bytes_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter(range(100))

    def drifting(self: module.Demo) -> Transcript:
        transcript = Transcript()
        transcript.append("stop", {"reason": self.stop, "run": next(runs)})
        return transcript

    monkeypatch.setattr(module.Demo, "transcript", drifting)
    assert any("a second run wrote other bytes" in problem for problem in broken_claims(tmp_path))


def test_what_is_judged_is_the_file_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(self: Transcript, path: Path) -> None:
        path.write_bytes(self.to_bytes().replace(b"2 + 3", b"2 + 4"))

    monkeypatch.setattr(Transcript, "save", spoil)
    assert any("hash_mismatch" in problem for problem in broken_claims(tmp_path))


def test_the_transcripts_hold_no_path_no_time_and_no_address() -> None:
    for demo in DEMOS.values():
        text = json.dumps(demo.transcript().records)
        assert " at 0x" not in text and "/home" not in text and "/tmp" not in text
