"""The harness: each case on fresh files and a fresh registry, and a verdict from what really happened.

Beside the case's own checks three things must hold of every run, whoever the agent is: the trace agrees with itself,
the calls that it tells of are the calls that reached the tools, and the agent did not crash.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, Protocol

from course.evals.cases import Case
from course.evals.outcomes import failures
from course.loops.verified import run
from course.models import FakeLLM
from course.retries import text_of
from course.schema import validate
from course.tool import Tool
from course.toolbox import toolbox
from course.tools import ToolRegistry
from course.trace import Record, Replay, Sink, Tee, Trace, TraceWriter, replay, was_called, why_no_record

Mode = Literal["scripted", "live"]
Ledger = list[tuple[str, dict[str, Any]]]


class Agent(Protocol):
    """Whatever works on a case: it is given the case, its tools, and where to write its trace."""

    def __call__(self, case: Case, tools: ToolRegistry, trace: Sink) -> object: ...


@dataclass(frozen=True)
class Result:
    """One run of one case. failures: why it did not pass, empty when it did. cost: US dollars, None: not measured."""

    case: Case
    repetition: int
    records: list[Record]
    run: Replay
    failures: list[str]
    cost: Decimal | None = None

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def completed(self) -> bool:
        """What the steps bear out, not what `run_end` says alone."""
        return self.run.status == "completed" and self.run.ok


def scripted(case: Case, tools: ToolRegistry, trace: Sink) -> object:
    """The verified loop, with the case's own script as its model: a run without a network, the same every time."""
    return run(case.task, FakeLLM(case.script), tools, case.judges(tools), max_steps=case.max_steps, trace=trace)


def run_cases(
    cases: Iterable[Case], agent: Agent, mode: Mode = "scripted", repetitions: int = 1, traces: Path | None = None
) -> Iterator[Result]:
    """Run every case `repetitions` times, each in a world of its own.

    mode: which of a case's further checks apply. traces: a folder, where each run leaves `ID-N.jsonl`, N from 1.
    """
    for case in cases:
        for repetition in range(repetitions):
            path = traces / f"{case.id}-{repetition + 1}.jsonl" if traces else None
            yield replace(run_case(case, agent, mode, path), repetition=repetition)


def run_case(case: Case, agent: Agent, mode: Mode = "scripted", path: Path | None = None) -> Result:
    """Run one case once. An agent that raises has failed the case; KeyboardInterrupt goes through.

    path: where its trace is written as it happens. An agent that spends money says how much in `last_cost`.
    """
    trace, ledger, found = Trace(), Ledger(), list[str]()
    with TraceWriter(path) if path else nullcontext() as disk, tempfile.TemporaryDirectory() as folder:
        tools = counted(toolbox(_world(Path(folder), case)), ledger)
        try:
            agent(case, tools, Tee(trace, disk) if disk else trace)
        except Exception as error:
            found.append(f"the agent crashed: {type(error).__name__}: {text_of(error)}")
    return _judged(case, trace.records, ledger, found, mode, getattr(agent, "last_cost", None))


def _judged(
    case: Case, records: list[Record], ledger: Ledger, found: list[str], mode: Mode, cost: Decimal | None
) -> Result:
    if problem := next(filter(None, map(why_no_record, records)), None):
        return Result(case, 0, [], replay([]), [*found, f"no trace: {problem}"], cost)
    rebuilt = replay(records)
    further = case.script_checks if mode == "scripted" else case.live_checks
    found += [f"the trace: {mismatch}" for mismatch in rebuilt.mismatches]
    found += _against_ledger(rebuilt, ledger)
    found += failures([*case.checks, *further], rebuilt)
    return Result(case, 0, records, rebuilt, found, cost)


def counted(tools: ToolRegistry, ledger: Ledger) -> ToolRegistry:
    """The same tools, and every call that reaches one is in `ledger` before the tool runs."""

    def counting(tool: Tool) -> Tool:
        def fn(**args: Any) -> Any:
            ledger.append((tool.name, deepcopy(args)))
            return tool.fn(**args)

        return replace(tool, fn=fn)

    return ToolRegistry([counting(tools.get(name)) for name in tools.names()])


def _against_ledger(run: Replay, ledger: Ledger) -> Iterator[str]:
    tools = toolbox(Path())  # for the schemas alone
    told = [
        (call["tool"], call["args"])
        for step in run.steps
        if was_called(step) and _reaches(tools, call := step["decision"]["tool_call"])
    ]
    if _spelled(told) != _spelled(ledger):
        counts = f"the trace tells of {len(told)} calls and {len(ledger)} reached the tools"
        yield f"{counts}: {_first_difference(told, ledger)}"


def _reaches(tools: ToolRegistry, call: dict[str, Any]) -> bool:
    """A loop without a schema verifier is refused by `call_tool` instead, before the tool is reached."""
    return call["tool"] in tools and not validate(call["args"], tools.get(call["tool"]).schema)


def _spelled(calls: Sequence[tuple[str, Any]]) -> list[str]:
    return [json.dumps(call, sort_keys=True) for call in calls]


def _first_difference(told: Ledger, ledger: Ledger) -> str:
    for number, (one, other) in enumerate(zip(_spelled(told), _spelled(ledger), strict=False), 1):
        if one != other:
            return f"call {number} is {one} in the trace, {other} in the ledger"
    side, calls = ("trace", told) if len(told) > len(ledger) else ("ledger", ledger)
    return f"only the {side} has {_spelled(calls)[min(len(told), len(ledger))]}"


def _world(folder: Path, case: Case) -> Path:
    """The fenced folder `ws` with the case's files, and what lies beside it."""
    root = folder / "ws"
    root.mkdir()
    for base, named in ((root, case.files), (folder, case.outside)):
        for name, text in named.items():
            place = base / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
    for name, target in case.links.items():
        (root / name).symlink_to(target)
    return root
