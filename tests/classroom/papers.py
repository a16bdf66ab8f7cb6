"""Notebook files for the tests of the classroom: made of cells, written as people hand them in."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.classroom.submission import Submission
from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.sandbox.supervisor import Record

RIGHT = """
def render_trace(receipt):
    lines = [f"{n}. {s['tool']}({s['args']!r}) -> {s['result']}" for n, s in enumerate(receipt["steps"], 1)]
    spoken = "answer" if receipt["stopped_because"] == "answered" else "refusal"
    return "\\n".join([*lines, f"stopped_because={receipt['stopped_because']!r}  {spoken}={receipt[spoken]!r}"])
"""
WRONG = "def render_trace(receipt):\n    return 'nothing'\n"
CHECK = 'from grader import check\ncheck("ch05-e3", render_trace)'


def notebook(*sources: str | tuple[str, str], **metadata: Any) -> dict[str, Any]:
    """A notebook of code cells; a (kind, source) makes another kind."""
    cells = [("code", source) if isinstance(source, str) else source for source in sources]
    return {
        "cells": [
            {"cell_type": kind, "source": text, "metadata": {}, "id": f"cell-{n}"}
            for n, (kind, text) in enumerate(cells)
        ],
        "metadata": metadata,
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def write(path: Path, *sources: str | tuple[str, str], age: int = 0, **metadata: Any) -> Path:
    """Write such a notebook; age: how many seconds ago it was saved."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(*sources, **metadata)), encoding="utf-8", newline="\n")
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def a_class(root: Path, answers: Sequence[str]) -> Path:
    """A folder with one student for each of `answers`, each with an answer to ch05-e3 and its check."""
    for number, answer in enumerate(answers):
        write(root / f"student-{number}" / "ch05.ipynb", answer, CHECK)
    return root


def submission(student: str, session: str = "ch05", file: str = "", digest: str = "d", **more: Any) -> Submission:
    """A submission that was never a file."""
    file = file or f"{student}/ch05.ipynb"
    return Submission(student, file, Path(file), session, digest, **more)


def verdict(exercise: str, *points: int) -> Verdict:
    """A verdict of one case worth 2 for each of `points`; a case passes with 2."""
    cases = [
        CaseResult(f"case_{n}", f"case {n}", "passed" if got == 2 else "failed", got, 2, "", Finding(got=f"it's {got}"))
        for n, got in enumerate(points)
    ]
    return Verdict(exercise, f"exercise {exercise}", tuple(cases))


def record(*verdicts: Verdict) -> Record:
    """What a sitting would have brought."""
    return Record({one.exercise: one for one in verdicts}, [], [(3, "NameError: name 'x' is not defined")], ["a note"])
