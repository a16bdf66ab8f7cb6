"""What is judged on both sides: of each exercise the stub, the solution, every wrong answer and every odd one."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.authoring.answers import odd_answers, wrong_answers
from grader.authoring.source import Source, cells_before, sources, student_cell
from grader.checks import sessions
from grader.engine.exercise import Exercise


@dataclass(frozen=True)
class Attempt:
    """One answer to one exercise. name: "stub", "solution", "wrong/…" or "odd/…"; cells: what runs before it."""

    exercise: str
    name: str
    cells: tuple[tuple[str, str], ...]
    text: str

    def __str__(self) -> str:
        return f"{self.exercise} {self.name}"

    def to_line(self) -> str:
        """As `inside.answered` takes it."""
        return json.dumps({"exercise": self.exercise, "cells": self.cells, "answer": [self.name, self.text]})


def attempts(wanted: Iterable[str] | None = None, wrong: int | None = None) -> list[Attempt]:
    """The attempts at the exercises of `wanted` sessions (such as "ch05"; None: all), in the order of the course.

    wrong: so many wrong answers of each exercise at most, and then no odd ones. Raises ValueError for no such session.
    """
    known = sessions()
    names = list(known) if wanted is None else list(wanted)
    missing = sorted(set(names) - set(known))
    if missing:
        raise ValueError(f"there is no session {missing[0]!r}: take some of {', '.join(known)}")
    return [
        attempt
        for source in sources()
        if source.session_id in names
        for exercise in known[source.session_id].exercises
        for attempt in _of(exercise, source, wrong)
    ]


def _of(exercise: Exercise, source: Source, wrong: int | None) -> Iterator[Attempt]:
    cells = tuple((f"cell {cell.number}", cell.solved) for cell in cells_before(source, exercise.id))
    answers = source.of(exercise.id, "answer")
    texts = {
        "stub": "\n".join(student_cell(cell, exercise.title) for cell in answers),
        "solution": "\n".join(cell.solved for cell in answers),
    }
    texts |= {f"wrong/{answer.path.stem}": answer.text for answer in wrong_answers(exercise.id)[:wrong]}
    if wrong is None:
        texts |= {f"odd/{answer.path.stem}": answer.text for answer in odd_answers(exercise.id)}
    for name, text in texts.items():
        yield Attempt(exercise.id, name, cells, text)
