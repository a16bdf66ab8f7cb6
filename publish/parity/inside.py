"""Judges one answer to one exercise: the part of the comparison that runs in CPython and in Pyodide alike.

Standard library, `course` and `grader` only, as in a browser. It judges as `check` does in a notebook: on the
in-process transport, with the seed of practice.
"""

import io
import itertools
import json
import linecache
import os
import platform
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import ModuleType
from typing import Any

from grader.checks import exercise as find_exercise
from grader.engine.exercise import Exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent

_NOTEBOOK_NAMES = ("check", "compare", "hint", "solution")
_serial = itertools.count(1)


def answered(line: str) -> str:
    """Answer one attempt, both as JSON: {"exercise", "cells": [[name, text], ...], "answer": [name, text]}.

    Returns {"python": version, "verdict": a verdict's record}, or with "trouble", why there is none, in its place.
    """
    attempt = json.loads(line)
    reply: dict[str, Any] = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    try:
        reply["verdict"] = _verdict(find_exercise(attempt["exercise"]), attempt["cells"], attempt["answer"])
    except BaseException as error:
        reply["trouble"] = f"{type(error).__name__}: {error}"
    return json.dumps(reply)


def serve() -> None:
    """Answer the lines of stdin until it ends. What an answer prints, on whatever way, does not reach the replies."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as replies:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print(json.dumps({"ready": sys.platform}), file=replies, flush=True)
        for line in sys.stdin:
            print(answered(line), file=replies, flush=True)


def _verdict(exercise: Exercise, cells: list[list[str]], answer: list[str]) -> dict[str, Any]:
    """The verdict's record, of an answer that runs behind the cells that a student has run before it."""
    name = f"{exercise.session.id}_{next(_serial)}"
    module = ModuleType(name)
    sys.modules[name] = module
    names = vars(module)
    for cell, text in cells:
        _run(text, names, cell)
    for provided in exercise.provides:
        names.pop(provided, None)  # an answer that defines nothing must not live on an earlier one's
    _run(answer[1], names, answer[0])
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        verdict = judge(exercise, InProcessStudent(names, exercise.provides)).to_record()
    del sys.modules[name]
    return verdict


def _run(text: str, names: dict[str, Any], cell: str) -> None:
    """Run a cell; what it imports from the notebook does nothing, what it prints is dropped."""
    names.update(dict.fromkeys(_NOTEBOOK_NAMES, _nothing))
    filename = f"<{names['__name__']}: {cell}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        exec(compile(text, filename, "exec"), names)
    names.update(dict.fromkeys(_NOTEBOOK_NAMES, _nothing))


def _nothing(*_args: object, **_kwargs: object) -> None:
    return None
