"""The commands of the verified loop: `run`, `replay`, `diff` and `serve-mcp`. (`eval` is in `course.evals.command`.)"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from course.evals.cases import Case, load_cases
from course.evals.harness import run_case
from course.jsonable import show
from course.live_options import add_live_options, live_model
from course.loops.verified import KillSwitch, run
from course.models import FakeLLM
from course.otel import to_otel
from course.stopping import stops_on_ctrl_c
from course.toolbox import toolbox
from course.tools import ToolRegistry
from course.trace import Record, Sink, Tee, Trace, TraceError, TraceWriter, diff, read, replay, was_blocked

Command = Callable[[argparse.Namespace], int]

DEFAULT_CASE = "arithmetic-product"


# --- run --------------------------------------------------------------------------------------------------------------


def add_run(parser: argparse.ArgumentParser) -> Command:
    """Exit 0 the run was completed, 1 it ended otherwise, 2 it could not begin, 130 interrupted."""
    parser.description = (
        "Run the verified loop once and show every step with its scores. Without --live a scripted model plays one of "
        "the eval cases. Ctrl+C ends the run after the call in hand; its trace is whole."
    )
    parser.add_argument(
        "--case", default=DEFAULT_CASE, metavar="ID", help="the eval case to play (default: %(default)s)"
    )
    parser.add_argument("--task", metavar="TEXT", help="with --live: what the model is asked")
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="with --live: the folder that file_read may read"
    )
    parser.add_argument("--max-steps", type=int, default=8, metavar="N", help="with --live: the budget (default: 8)")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the trace here, step by step")
    add_live_options(parser)
    return _run


def _run(options: argparse.Namespace) -> int:
    memory = Trace()
    try:
        with (
            TraceWriter(options.trace) if options.trace else nullcontext() as disk,
            stops_on_ctrl_c() as kill,
        ):
            sink: Sink = Tee(memory, *([disk] if disk else []), _Shown())
            if options.live:
                _run_live(options, sink, kill)
            else:
                _run_case(options, sink, kill)
    except KeyboardInterrupt:
        print("interrupted; the trace ends with its run_end", file=sys.stderr)
        return 130
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        print(f"the run ended with an error: {error}" if memory.records else f"the run could not begin: {error}")
        return 1 if memory.records else 2
    return 0 if memory.records[-1]["status"] == "completed" else 1


def _run_live(options: argparse.Namespace, sink: Sink, kill: KillSwitch) -> None:
    if not options.task:
        raise ValueError("a live model needs a task: --task TEXT")
    tools = toolbox(options.root)
    run(
        options.task,
        live_model(options, tools),
        tools,
        max_steps=options.max_steps,
        kill=kill,
        trace=sink,
        clock=time.time,
    )


def _run_case(options: argparse.Namespace, sink: Sink, kill: KillSwitch) -> None:
    cases = {case.id: case for case in load_cases()}
    if options.case not in cases:
        raise ValueError(f"no case {options.case!r} (have: {', '.join(sorted(cases))})")

    def agent(case: Case, tools: ToolRegistry, trace: Sink) -> None:
        judges, steps = case.judges(tools), case.max_steps
        run(case.task, FakeLLM(case.script), tools, judges, max_steps=steps, kill=kill, trace=Tee(trace, sink))

    run_case(cases[options.case], agent)


class _Shown:
    """A sink that prints each record as it comes."""

    def write(self, record: Record) -> None:
        print(render(record), flush=True)


def render(record: Record) -> str:
    """One record as a line for people; steps are numbered from 1."""
    if record["type"] == "run_start":
        return f"task    {record['task']}"
    if record["type"] == "run_end":
        mean = "not measured" if record["mean_score"] is None else f"{record['mean_score']:.2f}"
        ended = f"{record['status']} after {record['steps_used']} steps, mean score {mean}"
        return ended + (f"\nanswer  {record['answer']}" if record["answer"] is not None else _because(record["error"]))
    decision, seen = record["decision"], record["observation"]
    call = decision["tool_call"]
    did = f"answer {show(decision['answer'])}" if call is None else f"{call['tool']}({show(call['args'])})"
    scores = "  ".join(f"{one['verifier']} {one['score']:.2f}" for one in record["judgments"])
    if was_blocked(record) and seen is not None:
        told = f" x {seen['content']}"
    elif seen is None:
        told = "" if call is None else " (not called)"
    else:
        told = f" -> {'' if seen['ok'] else 'error: '}{show(seen['content'])}"
    return f"step {record['step'] + 1:2} {did}{told}   [{scores}]"


def _because(error: str | None) -> str:
    return f"\nbecause {error}" if error else ""


# --- replay and diff --------------------------------------------------------------------------------------------------


def add_replay(parser: argparse.ArgumentParser) -> Command:
    """Exit 0 the trace agrees with itself, 1 it does not or is not whole, 2 it cannot be read."""
    parser.description = (
        "Show a recorded run again and hold its run_end against its steps. No tool and no model is called. It cannot "
        "show that a whole trace was made up: for that there is the hash chain (verify)."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a trace, as `run --trace FILE` writes it")
    parser.add_argument(
        "--otel", type=Path, metavar="OUT", help="also write the run as OpenTelemetry spans (OTLP/JSON)"
    )
    parser.add_argument(
        "--content", action="store_true", help="with --otel: put task, arguments, results and answer into the spans"
    )
    return _replay


def _replay(options: argparse.Namespace) -> int:
    problems: list[str] = []
    try:
        records = read(options.file)
    except TraceError as error:
        records, problems = error.records, [str(error)]
    except OSError as error:
        print(f"{options.file}: {error.strerror}")
        return 2
    print(*map(render, records), sep="\n", end="\n" if records else "")
    problems += replay(records).mismatches
    print(*(f"MISMATCH {problem}" for problem in problems), sep="\n", end="\n" if problems else "")
    if options.otel and records:
        spans = json.dumps(to_otel(records, content=options.content), ensure_ascii=False, indent=1)
        options.otel.write_text(spans + "\n", encoding="utf-8", newline="\n")
    return 1 if problems else 0


def add_diff(parser: argparse.ArgumentParser) -> Command:
    """Exit 0 the runs do not differ, 1 they do, 2 one of them cannot be read."""
    parser.description = "Name the first step and field in which two recorded runs part. Timestamps never count."
    parser.add_argument("a", type=Path, metavar="A", help="a trace")
    parser.add_argument("b", type=Path, metavar="B", help="another one")
    return _diff


def _diff(options: argparse.Namespace) -> int:
    runs = []
    for path in (options.a, options.b):
        try:
            runs.append(read(path))
        except (OSError, TraceError) as error:
            print(f"{path}: {error.strerror if isinstance(error, OSError) else error}")
            return 2
    found = diff(*runs)
    print("the two runs do not differ" if found is None else f"the runs part at {found}")
    return 0 if found is None else 1


# --- serve-mcp --------------------------------------------------------------------------------------------------------


def add_serve_mcp(parser: argparse.ArgumentParser) -> Command:
    """Exit 0 the client closed the connection, 2 the server could not start."""
    parser.description = (
        "Serve the course's tools to any MCP client over stdio. A client starts it, not a person: give the client the "
        "command `python -m course serve-mcp --root DIR`."
    )
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="the folder that file_read may read (default: here)"
    )
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS", help="for one call (default: 30)")
    return _serve_mcp


def _serve_mcp(options: argparse.Namespace) -> int:
    try:
        from course import mcp_server
    except ImportError:
        print("serving needs the mcp library: pip install 'mcp>=2,<3'", file=sys.stderr)
        return 2
    return mcp_server.run(options)
