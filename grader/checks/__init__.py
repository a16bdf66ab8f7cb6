"""The checks of the course, one module a session. Each module defines `session`, and everything finds it here."""

import importlib
import pkgutil
from functools import cache

from grader.engine.exercise import Exercise, Session


@cache
def sessions() -> dict[str, Session]:
    """Every session that has checks, by id, in the order of the course."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name.startswith("ch"))
    return {name: importlib.import_module(f"{__name__}.{name}").session for name in names}


def exercise(exercise_id: str) -> Exercise:
    """The exercise called `exercise_id`; raises KeyError with a sentence that says which there are."""
    for session in sessions().values():
        for found in session.exercises:
            if found.id == exercise_id:
                return found
    known = ", ".join(e.id for s in sessions().values() for e in s.exercises)
    raise KeyError(f"there is no exercise {exercise_id!r} (have: {known})")


def withheld(session: Session) -> list[str]:
    """The modules of `course` that are not there while `session` is graded: its own and those of later sessions."""
    later = [one for one in sessions().values() if one.number >= session.number]
    return sorted({module for one in later for module in one.builds} - set(session.gives))
