"""Three trivial exercises for our engine, and the cells of a right submission of them.

Imported by what is forked for the floor: nothing but the engine comes along, since a fork costs by its memory.
"""

from dataclasses import dataclass
from typing import Any

from grader.engine.exercise import Case, Session
from grader.engine.expect import expect
from grader.engine.student import Student
from grader.engine.world import World


@dataclass(frozen=True)
class Trivial:
    """One trivial exercise: the function's name, its right answer, and claims as (argument, expected value)."""

    name: str
    answer: str
    claims: tuple[tuple[Any, Any], ...]


TRIVIAL = (
    Trivial("square", "def square(x):\n    return x * x", ((7, 49), (-3, 9))),
    Trivial("shout", "def shout(text):\n    return text.upper()", (("ship", "SHIP"), ("", ""))),
    Trivial("total", "def total(items):\n    return sum(items)", (([1, 2, 3], 6), ([], 0))),
)


def trivial_session() -> Session:
    """The three exercises for our engine. It is made here and not in `grader/checks`: no student meets it."""
    session = Session("ch00", "Three trivial exercises")
    for number, one in enumerate(TRIVIAL, 1):
        exercise = session.exercise(f"ch00-e{number}", one.name, provides=[one.name], hints=["Which?", "That."])
        for place, (argument, wanted) in enumerate(one.claims):
            exercise.cases.append(_case(one.name, place, argument, wanted))
    return session


def _case(name: str, place: int, argument: Any, wanted: Any) -> Case:
    def run(student: Student, world: World) -> None:
        expect(getattr(student, name)(argument)).equals(wanted)

    return Case(f"{name}_{place}", f"{name}({argument!r}) is {wanted!r}", 1, run)


def trivial_cells() -> list[str]:
    """The code cells of a right submission: an import, and an answer and a check for each exercise."""
    start, *checks = given_cells()
    return [start, *(cell for one, check in zip(TRIVIAL, checks, strict=True) for cell in (one.answer, check))]


def given_cells() -> list[str]:
    """Those of them that every submission holds."""
    checks = [f'check("ch00-e{number}", {one.name})' for number, one in enumerate(TRIVIAL, 1)]
    return ["from grader import check", *checks]
