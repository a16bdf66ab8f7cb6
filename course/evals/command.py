"""`python -m course eval`: run the cases, print the metrics, and leave summary, page and traces in a folder."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from course.evals.cases import Case, CaseError, load_cases
from course.evals.controls import Control, controls
from course.evals.harness import Result, run_cases, scripted
from course.evals.report import Summary, by_name, metrics_text, to_json, to_markdown
from course.live_options import add_live_options, live_model, live_settings
from course.stopping import stops_on_ctrl_c
from course.tools import ToolRegistry

if TYPE_CHECKING:
    from course.evals.live_agent import LiveAgent


def add_command(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """Exit 0 every case passed, 1 one did not (or a control was judged wrongly), 2 the eval could not be run."""
    parser.description = (
        "Run the eval cases and report seven metrics, each with what it divides by. Without --live the models are "
        "scripts: no key, no network, the same numbers every time."
    )
    parser.add_argument(
        "--cases", type=Path, metavar="FILE", help="a cases.jsonl of your own (default: the course's 30)"
    )
    parser.add_argument("--only", metavar="TEXT", default="", help="only cases whose id holds this")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("eval-results"),
        metavar="DIR",
        help="where summary.json, report.md and traces/ go (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the metrics by name as JSON, and nothing else")
    parser.add_argument(
        "--controls", action="store_true", help="try the harness itself: five broken agents and two odd but right ones"
    )
    parser.add_argument("--repetitions", type=int, default=1, metavar="N", help="runs of each case (default: 1)")
    add_live_options(parser)
    return _eval


def _eval(options: argparse.Namespace) -> int:
    try:
        cases = [case for case in load_cases(options.cases) if options.only in case.id]
        if not cases:
            raise CaseError(f"no case has {options.only!r} in its id")
        if options.repetitions < 1:
            raise CaseError("--repetitions is a number from 1")
        if options.controls:
            return _controls(cases, options.json)
        summaries = list(_summaries(cases, options))
    except (CaseError, OSError, ValueError, ImportError, RuntimeError) as error:
        print(f"the eval could not be run: {error}")
        return 2
    _write(options.out, summaries)
    first = summaries[0]
    if options.json:
        print(json.dumps(by_name(first), indent=2))
    else:
        for result in first.results:
            print(*(f"FAIL {result.case.id}: {failure}" for failure in result.failures), sep="\n", end="")
            print("\n" if result.failures else "", end="")
        print(metrics_text(first))
        print(f"report, summary and traces: {options.out}")
    return 0 if all(result.passed for result in first.results) and len(first.results) == first.planned else 1


def _summaries(cases: list[Case], options: argparse.Namespace) -> Iterator[Summary]:
    """The summary in question, and after a live one the scripted one to hold it against."""
    traces = options.out / "traces"
    traces.mkdir(parents=True, exist_ok=True)
    planned = len(cases) * options.repetitions
    if not options.live:
        results = list(run_cases(cases, scripted, "scripted", options.repetitions, traces))
        yield Summary("scripted", results, planned, options.repetitions)
        return
    from course.evals.live_agent import LiveAgent

    with stops_on_ctrl_c() as kill:
        agent = LiveAgent(live_model(options, ToolRegistry()), time.time, kill)
        started = datetime.now(UTC).date().isoformat()
        results = list(_while_it_may(agent, cases, options.repetitions, traces))
    yield Summary(options.live, results, planned, options.repetitions, started, live_settings(agent.llm))
    yield Summary("scripted", list(run_cases(cases, scripted)), len(cases))


def _while_it_may(agent: LiveAgent, cases: list[Case], repetitions: int, traces: Path) -> Iterator[Result]:
    """The runs, until the cap is reached or somebody stops them: what was made is reported all the same."""
    with suppress(KeyboardInterrupt):
        for result in run_cases(cases, agent, "live", repetitions, traces):
            yield result
            if not agent.may_go_on:
                return


def _write(folder: Path, summaries: list[Summary]) -> None:
    for name, text in (
        ("summary.json", json.dumps(to_json(summaries[0]), indent=2, ensure_ascii=False) + "\n"),
        ("report.md", to_markdown(*summaries)),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _controls(cases: list[Case], as_json: bool) -> int:
    found: list[Control] = list(controls(cases))
    if as_json:
        print(
            json.dumps({one.agent: {"broken": one.broken, "failed": one.failed, "right": one.right} for one in found})
        )
    else:
        for one in found:
            print(one)
            print(*([f"{'':26}{one.first}"] if one.first else []), sep="\n", end="\n" if one.first else "")
    return 0 if all(one.right for one in found) else 1
