"""Public failures retold as transcripts: what was reported, run again with a scripted model, for everyone to look at.

The course of each run is as reported, and so are the numbers; task, texts and file names are ours. The transcripts lie
in `course/data/transcripts/`, and `replay` makes them again, byte for byte. Each verifies: a chain proves that nobody
changed the story, not that the story is a good one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

from course.loops.budgeted import Budgets, Stop, run
from course.models import ModelReply, ScriptedModel, ToolCall
from course.schema import Schema
from course.tools import Tool, ToolRegistry
from course.transcript import Record, Transcript


@dataclass(frozen=True)
class Incident:
    """One failure. issue: owner/repository #number. retold: what happened, in our words. play: runs it again."""

    issue: str
    url: str
    retold: str
    play: Callable[[Transcript], object]


def _text_arguments(*names: str) -> Schema:
    properties = {name: {"type": "string"} for name in names}
    return {"type": "object", "properties": properties, "required": sorted(names), "additionalProperties": False}


def _false_completion(transcript: Transcript) -> None:
    """The tool that the model wanted was not loaded; the guard stopped it, and its framework wrote a happy ending."""

    def create_table(name: str) -> str:
        return f"table {name} is there"

    turn = ModelReply("I need edit_file. I will use what there is.", [ToolCall("create_table", {"name": "archived"})])
    told = Transcript()
    run(
        "Add a function that parses archived entries, and a test for it.",
        ScriptedModel([turn] * 4),
        ToolRegistry([Tool("create_table", "Create a table.", _text_arguments("name"), create_table)]),
        Budgets(max_steps=4),
        transcript=told,
    )
    for record in told.records[:-1]:
        transcript.append(record["kind"], record["payload"])
    stop = Stop(**told.records[-1]["payload"])
    detail, answer = "create_table was called 4 times in a row", "Done with create_table. Nothing is left to do."
    transcript.append("stop", {**asdict(stop), "reason": "loop_guard", "detail": detail, "answer": answer})


def _two_hundred_reads(transcript: Transcript) -> None:
    """No limit on steps: the same file is read until somebody stops the run."""
    somebody, reads = threading.Event(), []

    def read_file(path: str) -> str:
        reads.append(path)
        if len(reads) == 200:
            somebody.set()
        return "def main(): ..."

    turn = ModelReply("Let me look at the file.", [ToolCall("read_file", {"path": "main.py"})])
    tools = ToolRegistry([Tool("read_file", "Read a file.", _text_arguments("path"), read_file, idempotent=True)])
    run(
        "Fix the bug.", ScriptedModel([turn] * 300), tools, Budgets(max_steps=300), transcript=transcript, kill=somebody
    )


def _errors_as_values(transcript: Transcript) -> None:
    """Every call fails, every failure is returned as a result, and the answer is made up from nothing."""

    def search(query: str) -> dict[str, str]:
        return {"error": "401: no such instance"}

    topics = ["roadmap", "owners", "launch date"]
    turns = [
        ModelReply(f"Looking up {place}.", [ToolCall("search", {"query": f"{topic} in {place}"}) for topic in topics])
        for place in ("documents", "mail", "chat")
    ]
    answer = ModelReply(
        "Dear all, the launch is on track for the third of May, and the roadmap is agreed by all owners."
    )
    tools = ToolRegistry([Tool("search", "Search the company.", _text_arguments("query"), search, idempotent=True)])
    run("Write the weekly status mail.", ScriptedModel([*turns, answer]), tools, transcript=transcript)


INCIDENTS = {
    "gaia-3750": Incident(
        "amd/gaia #3750",
        "https://github.com/amd/gaia/issues/3750",
        "The tool that the task needed was not loaded, so the model called the only one there was four times. The loop "
        "guard ended the run, and the framework told the user that the task was completed. Nothing had been edited.",
        _false_completion,
    ),
    "swe-agent-1262": Incident(
        "SWE-agent/SWE-agent #1262",
        "https://github.com/SWE-agent/SWE-agent/issues/1262",
        "A small model read the same file again and again, for more than 200 steps, and nothing in the loop ended it. "
        "The report asks how to set a limit.",
        _two_hundred_reads,
    ),
    "glean-agent-toolkit-42": Incident(
        "gleanwork/glean-agent-toolkit #42",
        "https://github.com/gleanwork/glean-agent-toolkit/issues/42",
        "A wrong setting made all nine calls fail. The tools returned their errors as values, so every call counted as "
        "a success, the exit code was 0, and the mail that came out was invented.",
        _errors_as_values,
    ),
}


def replay(name: str) -> Transcript:
    """Run one incident again. name: a key of INCIDENTS. The first record (kind `source`) says where it was reported."""
    incident = INCIDENTS[name]
    transcript = Transcript()
    transcript.append("source", {"issue": incident.issue, "url": incident.url, "retold": incident.retold})
    incident.play(transcript)
    return transcript


def load(name: str) -> list[Record]:
    """The records of one incident as they lie in `course/data/transcripts/`."""
    text = (files("course") / "data" / "transcripts" / f"{name}.jsonl").read_text(encoding="utf-8")
    records: list[dict[str, Any]] = [json.loads(line) for line in text.split("\n") if line]
    return records
