"""`python -m course COMMAND`: run, trace, replay, evaluate and verify agents. The exit code is the verdict."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from course import commands, demo, gate
from course.evals import command as evals
from course.transcript import Anchor, verify_file

Run = Callable[[argparse.Namespace], int]

MOST_FAULTS_SHOWN = 20


def add_verify(parser: argparse.ArgumentParser) -> Run:
    """`python -m course verify FILE [--anchor …]`: exit 0 it verifies, 1 it has faults, 2 nothing could be judged."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--anchor", metavar="COUNT:HASH or FILE", help="what the transcript must end with, kept elsewhere"
    )
    return _verify


# One line a command: its name, what it does, and the function that adds its arguments and returns what runs it.
COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], Run]]] = {
    "demo": ("write three transcripts and verify them", demo.add_command),
    "gate": ("break transcripts on purpose and see that it shows", gate.add_command),
    "verify": ("verify a transcript file, with or without an anchor", add_verify),
    "run": ("run the verified loop once and trace it", commands.add_run),
    "replay": ("show a trace again and hold its end against its steps", commands.add_replay),
    "diff": ("name the first step and field in which two traces part", commands.add_diff),
    "eval": ("run the eval cases and report the metrics", evals.add_command),
    "serve-mcp": ("serve the tools to any MCP client over stdio", commands.add_serve_mcp),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; arguments without the program's name. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m course", description=__doc__)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (summary, add) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        subparser.set_defaults(run=add(subparser))
    options = parser.parse_args(arguments)
    run: Run = options.run
    return run(options)


def _verify(options: argparse.Namespace) -> int:
    try:
        anchor = _anchor(options.anchor) if options.anchor else None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"--anchor {options.anchor}: {reason}; give COUNT:HASH or a file that holds the anchor")
        return 2
    report = verify_file(options.file, anchor)
    for fault in report.faults[:MOST_FAULTS_SHOWN]:
        print(fault)
    if any(fault.kind == "unreadable" for fault in report.faults):
        return 2
    print(f"{report.count} records, head {report.head}, {len(report.faults)} faults")
    if anchor is None:
        print("without an anchor: records cut from the end, or forged to the end, would not show")
    return 0 if report.ok else 1


def _anchor(text: str) -> Anchor:
    """An anchor written out, or read from a file that holds it as JSON."""
    if ":" in text and not Path(text).exists():
        return Anchor.parse(text)
    return Anchor.from_json(Path(text).read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
