"""The eval cases: one JSON object a line, each with a task, a scripted model and what must be true of the trace.

| key | what it holds |
|---|---|
| `id`, `kind`, `task` | a unique name; arithmetic, files, recovery or adversarial; what the model is asked |
| `max_steps` | the budget, 8 when left out |
| `verifiers` | names out of schema, repeat, grounded, budget; `schema` and `budget` when left out |
| `files`, `outside`, `links` | files under the fence, files beside it, and links under it that lead out |
| `script` | the scripted model's decisions: `{"call": [tool, args]}` or `{"answer": text}`, and perhaps a `thought` |
| `checks` | what must hold of every run; `script_checks`, `live_checks` of a scripted or a live one as well |

A check is an object with one key; `course.evals.outcomes` says which there are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from course.evals.outcomes import why_no_check
from course.models import Decision, ToolCall
from course.tools import ToolRegistry
from course.verifiers import BudgetVerifier, GroundedVerifier, RepeatVerifier, SchemaVerifier, Verifier

KINDS = ("arithmetic", "files", "recovery", "adversarial")
VERIFIERS: Mapping[str, Callable[[ToolRegistry], Verifier]] = {
    "schema": SchemaVerifier,
    "repeat": lambda tools: RepeatVerifier(),
    "grounded": lambda tools: GroundedVerifier("pre_act"),
    "budget": lambda tools: BudgetVerifier(),
}
_REQUIRED = ("id", "kind", "task", "script", "checks")
_OPTIONAL: Mapping[str, Any] = {
    "max_steps": 8,
    "verifiers": ["schema", "budget"],
    "files": {},
    "outside": {},
    "links": {},
    "script_checks": [],
    "live_checks": [],
}

Check = dict[str, Any]


class CaseError(ValueError):
    """The case file cannot be used; the message names every bad line, not the first alone."""


@dataclass(frozen=True)
class Case:
    """One case; the keys of its line, the script as decisions."""

    id: str
    kind: str
    task: str
    script: Sequence[Decision]
    checks: Sequence[Check]
    max_steps: int = 8
    verifiers: Sequence[str] = ("schema", "budget")
    files: Mapping[str, str] = field(default_factory=dict)
    outside: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    script_checks: Sequence[Check] = ()
    live_checks: Sequence[Check] = ()

    def judges(self, tools: ToolRegistry) -> list[Verifier]:
        """This case's verifiers, made anew for a run over `tools`."""
        return [VERIFIERS[name](tools) for name in self.verifiers]


def load_cases(path: str | os.PathLike[str] | None = None) -> list[Case]:
    """Return the cases of a file in its order; the course's own 30 when `path` is None.

    Raises CaseError, with the number of every line that is no case or has the id of another; OSError as `open` does.
    """
    text = (Path(path) if path is not None else files("course.evals") / "cases.jsonl").read_text(encoding="utf-8")
    return parse_cases(text.split("\n"))


def parse_cases(lines: Iterable[str]) -> list[Case]:
    """Return the cases of some lines; blank ones are none. Raises CaseError."""
    cases: list[Case] = []
    problems: list[str] = []
    first_line: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = _case(json.loads(line))
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: {error}")
            continue
        if case.id in first_line:
            problems.append(f"line {number}: the id {case.id!r} is taken by line {first_line[case.id]}")
        first_line.setdefault(case.id, number)
        cases.append(case)
    if problems:
        raise CaseError("; ".join(problems))
    if not cases:
        raise CaseError("there is no case in the file")
    return cases


def _case(entry: object) -> Case:
    if not isinstance(entry, dict):
        raise ValueError("a case is an object")
    if missing := [key for key in _REQUIRED if key not in entry]:
        raise ValueError(f"a case needs {', '.join(missing)}")
    if extra := sorted(set(entry) - {*_REQUIRED, *_OPTIONAL}):
        raise ValueError(f"a case has no {', '.join(extra)}")
    whole = {**_OPTIONAL, **entry}
    for key in ("id", "task"):
        if not isinstance(whole[key], str) or not whole[key]:
            raise ValueError(f"{key} is a text that is not empty")
    if whole["kind"] not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}")
    if type(whole["max_steps"]) is not int or whole["max_steps"] < 0:
        raise ValueError("max_steps is a whole number from 0")
    if unknown := [name for name in whole["verifiers"] if name not in VERIFIERS]:
        raise ValueError(f"no verifier {unknown[0]!r} (have: {', '.join(VERIFIERS)})")
    for key in ("checks", "script_checks", "live_checks"):
        for check in whole[key]:
            if problem := why_no_check(check):
                raise ValueError(f"{key}: {problem}")
    if not whole["checks"] and not (whole["script_checks"] and whole["live_checks"]):
        raise ValueError("a case without a check cannot fail")
    return Case(**{**whole, "script": [_decision(step) for step in whole["script"]]})


def _decision(step: Any) -> Decision:
    if not isinstance(step, dict) or ("call" in step) == ("answer" in step):
        raise ValueError(f"a decision of the script is a call or an answer, got {json.dumps(step)}")
    thought = step.get("thought", "")
    if "answer" in step:
        return Decision(thought, answer=step["answer"])
    name, args = step["call"]
    return Decision(thought, tool_call=ToolCall(name, args))
