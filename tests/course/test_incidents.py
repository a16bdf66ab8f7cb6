"""Public failures as transcripts: each on disk equals its replay, verifies, and shows what was reported."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from course.incidents import INCIDENTS, load, replay
from course.transcript import verify_records

FOLDER = files("course") / "data" / "transcripts"


def payloads(name: str, kind: str) -> list[dict[str, Any]]:
    return [record["payload"] for record in load(name) if record["kind"] == kind]


@pytest.mark.parametrize("name", INCIDENTS)
def test_the_file_is_its_replay_byte_for_byte_and_verifies(name: str) -> None:
    assert (FOLDER / f"{name}.jsonl").read_bytes() == replay(name).to_bytes()
    assert verify_records(load(name)) == []


def test_every_transcript_in_the_folder_is_an_incident() -> None:
    held = {entry.name for entry in FOLDER.iterdir() if entry.name.endswith(".jsonl")}
    assert held == {f"{name}.jsonl" for name in INCIDENTS}


@pytest.mark.parametrize("name", INCIDENTS)
def test_the_first_record_says_where_it_was_reported(name: str) -> None:
    source = load(name)[0]
    assert source["kind"] == "source"
    assert source["payload"]["url"] == f"https://github.com/{source['payload']['issue'].replace(' #', '/issues/')}"


def test_gaia_stops_on_its_guard_and_claims_completion_with_four_equal_calls_behind_it() -> None:
    calls, (stop,) = payloads("gaia-3750", "tool"), payloads("gaia-3750", "stop")
    assert [call["name"] for call in calls] == ["create_table"] * 4
    assert len({str(call["args"]) for call in calls}) == 1
    assert stop["reason"] == "loop_guard" and stop["answer"] is not None


def test_swe_agent_reads_one_file_two_hundred_times_until_somebody_stops_it() -> None:
    calls, (stop,) = payloads("swe-agent-1262", "tool"), payloads("swe-agent-1262", "stop")
    assert len(calls) == 200 and all(call["args"] == calls[0]["args"] for call in calls)
    assert stop["reason"] == "killed" and stop["answer"] is None


def test_glean_counts_nine_failed_calls_as_successes_and_answers() -> None:
    calls, (stop,) = payloads("glean-agent-toolkit-42", "tool"), payloads("glean-agent-toolkit-42", "stop")
    assert len(calls) == 9 and all(call["ok"] and "error" in call["result"] for call in calls)
    assert stop["reason"] == "no_tool_calls" and stop["answer"]
