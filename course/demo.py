"""Three runs of the budgeted loop, written to disk and verified there: an answer, a recovery, a budget used up."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course.loops.budgeted import Budgets, run
from course.models import ModelReply, ScriptedModel, ToolCall
from course.schema import Schema
from course.tools import Tool, ToolRegistry
from course.transcript import Record, Transcript, verify_file


def _arguments(**types: str) -> Schema:
    properties = {name: {"type": kind} for name, kind in types.items()}
    return {"type": "object", "properties": properties, "required": sorted(types), "additionalProperties": False}


def _add(a: int, b: int) -> int:
    return a + b


def _echo(text: str) -> str:
    return text


def _fail() -> str:
    raise RuntimeError("the tool is broken on purpose")


def _greet(name: str) -> str:
    return f"Hello, {name}."


def demo_tools() -> ToolRegistry:
    """Four tools: `add`, `echo`, `greet`, and `fail`, which always raises."""
    return ToolRegistry(
        [
            Tool("add", "Add two integers.", _arguments(a="integer", b="integer"), _add, idempotent=True),
            Tool("echo", "Return the text as it is.", _arguments(text="string"), _echo, idempotent=True),
            Tool("fail", "Raise an error, always.", _arguments(), _fail),
            Tool("greet", "Greet somebody by name.", _arguments(name="string"), _greet, idempotent=True),
        ]
    )


@dataclass(frozen=True)
class Demo:
    """One run and what must be true of its transcript: its records, its stop, and where calls failed and succeeded."""

    task: str
    script: list[ModelReply]
    records: int
    stop: str
    budgets: Budgets = field(default_factory=Budgets)
    failed_at: tuple[int, ...] = ()
    succeeded_at: tuple[int, ...] = ()

    def transcript(self) -> Transcript:
        """Run it once more, from the start."""
        transcript = Transcript()
        run(self.task, ScriptedModel(self.script), demo_tools(), self.budgets, transcript=transcript)
        return transcript


def _turn(text: str, name: str, /, **args: object) -> ModelReply:
    return ModelReply(text, [ToolCall(name, args)])


DEMOS = {
    "demo-answer.jsonl": Demo(
        task="What is 2 + 3?",
        script=[_turn("I will add them.", "add", a=2, b=3), ModelReply("2 + 3 is 5.")],
        records=5,
        stop="no_tool_calls",
        succeeded_at=(2,),
    ),
    "demo-recover.jsonl": Demo(
        task="What is 2 + 3? Find out which tools work.",
        script=[
            _turn("Perhaps there is a tool for products.", "multiply", a=2, b=3),
            _turn("Then addition.", "add", a="2", b=3),
            _turn("That wanted an integer. Does this one work?", "fail"),
            _turn("It does not. Addition again, with integers.", "add", a=2, b=3),
            ModelReply("2 + 3 is 5; two of the four calls were my mistakes, and one tool is broken."),
        ],
        records=11,
        stop="no_tool_calls",
        failed_at=(2, 4, 6),
        succeeded_at=(8,),
    ),
    "demo-budget.jsonl": Demo(
        task="Say everything twice.",
        script=[_turn("Again: " + "echo " * 8, "echo", text=f"round {number}") for number in range(1, 5)],
        records=9,
        stop="token_budget",
        budgets=Budgets(max_tokens=40),
        succeeded_at=(2, 4, 6),
    ),
}


def broken_claims(folder: Path) -> Iterator[str]:
    """Write the three transcripts into `folder`, verify each from disk, and yield a sentence for each broken claim."""
    for name, demo in DEMOS.items():
        transcript = demo.transcript()
        path = folder / name
        transcript.save(path)
        report = verify_file(path, anchor=transcript.anchor())
        yield from (f"{name}: {fault}" for fault in report.faults)
        if report.count != demo.records:
            yield f"{name}: {report.count} records, {demo.records} were due"
        if demo.transcript().to_bytes() != path.read_bytes():
            yield f"{name}: a second run wrote other bytes"
        yield from (f"{name}: {problem}" for problem in _broken_story(demo, _read(path)))


def _broken_story(demo: Demo, records: list[Record]) -> Iterator[str]:
    tools = [record for record in records if record["kind"] == "tool"]
    failed = tuple(record["seq"] for record in tools if not record["payload"]["ok"])
    succeeded = tuple(record["seq"] for record in tools if record["payload"]["ok"])
    if failed != demo.failed_at:
        yield f"calls failed at seq {failed}, due at {demo.failed_at}"
    if succeeded != demo.succeeded_at:
        yield f"calls succeeded at seq {succeeded}, due at {demo.succeeded_at}"
    if records[-1]["kind"] != "stop" or records[-1]["payload"]["reason"] != demo.stop:
        yield f"the last record is no stop for {demo.stop}"


def _read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def add_command(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """`python -m course demo [--out DIR]`: exit 0 every claim held, 1 one did not, 2 the files could not be written."""
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to write (default: here)")
    return _demo


def _demo(options: argparse.Namespace) -> int:
    try:
        problems = list(broken_claims(options.out))
    except OSError as error:
        print(f"could not write the transcripts into {options.out}: {error.strerror}; name another folder with --out")
        return 2
    for name, demo in DEMOS.items():
        print(f"{name:20} {demo.records:3} records, stopped by {demo.stop}")
    print(*(f"FAULT {problem}" for problem in problems), sep="\n", end="\n" if problems else "")
    print("not every claim held" if problems else "every claim held")
    return 1 if problems else 0
