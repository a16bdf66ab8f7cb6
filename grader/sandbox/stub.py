"""What `from grader import check` gives inside a slot: the objects stay here, the supervisor judges them.

The slot mounts this file as its `grader/__init__.py`; the real checks are nowhere in it.
"""

from typing import Any

from grader.notebook.compare import compare

__all__ = ["check", "compare", "hint", "progress", "solution"]


class Judged:
    """What `check` returns while a notebook is graded: the points, and no message to learn the hidden values from."""

    def __init__(self, verdict: dict[str, Any]) -> None:
        self.exercise = verdict["exercise"]
        self.points = verdict["points"]
        self.max_points = verdict["max_points"]
        self.passed = verdict["passed"]

    def __repr__(self) -> str:
        return f"{self.exercise}: {self.points} of {self.max_points} points"


def check(exercise_id: str, *objects: object) -> Judged:
    """Hand over the objects of an exercise, as in a notebook; the supervisor judges them where they stand."""
    from grader.sandbox.child import current

    assert current is not None
    current.side.offered = objects
    opening = {"t": "check", "exercise": str(exercise_id)[:100], "objects": len(objects)}
    try:
        answer = current.channel.serve_until("verdict", opening, current.side.handle)
    finally:
        current.side.offered = ()  # of a check that was not judged; the next exercise must not be bound to it
    if "refused" in answer:
        raise ValueError(answer["refused"])
    return Judged(answer)


def hint(exercise_id: str) -> str:
    """Hints are for the student's own notebook."""
    return f"hints for {exercise_id} are shown in your own notebook, not while it is graded"


def solution(exercise_id: str, give_up: bool = False) -> str:
    """So are solutions."""
    return f"the solution of {exercise_id} is shown in your own notebook, not while it is graded"


def progress() -> str:
    """So is progress."""
    return "progress is kept beside your own notebook, not while it is graded"
