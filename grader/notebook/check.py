"""`check("ch05-e2", run_loop)`: judges what a student hands over, in the student's own kernel."""

import sys

from grader.checks import exercise as find_exercise
from grader.checks import withheld
from grader.engine.exercise import Exercise
from grader.engine.judge import judge, unjudged
from grader.engine.student import InProcessStudent
from grader.engine.verdict import Verdict
from grader.notebook.display import Shown
from grader.notebook.progress_file import line, note_verdict


def check(exercise_id: str, *objects: object) -> Shown:
    """Judge an exercise and show the verdict.

    exercise_id: "chNN-eM". objects: what the exercise provides, in its order; without any, they are looked up by name.
    Practice uses the same random values each time; grading uses others, so a hard-coded answer passes here at most.
    Raises KeyError for an unknown exercise and TypeError for a wrong number of objects.
    """
    exercise = find_exercise(exercise_id)
    names = exercise.provides
    if objects and len(objects) != len(names):
        raise TypeError(f"check({exercise_id!r}, …) takes {', '.join(names)}: {len(names)}, not {len(objects)}")
    student = InProcessStudent(vars(sys.modules["__main__"]), names, objects)
    if student.missing:
        reason = f"{', '.join(student.missing)} is not defined: run the cell that defines it first"
        return Shown(unjudged(exercise, "not_found", reason))
    verdict = _withheld(exercise, student) or judge(exercise, student)
    note_verdict(verdict)
    return Shown(verdict, line(exercise.session))


def _withheld(exercise: Exercise, student: InProcessStudent) -> Verdict | None:
    """The refusal of an object that is the course's own answer: what is not there while the session is graded."""
    away = withheld(exercise.session)
    for name, value in student.given.items():
        module = getattr(value, "__module__", None)
        if isinstance(module, str) and module in away:
            reason = f"{name} comes from {module}, which is what this session builds: hand over your own"
            return unjudged(exercise, "failed", reason)
    return None
