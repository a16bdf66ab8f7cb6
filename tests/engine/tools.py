"""What the tests of the engine share: exercises made on the spot, and students to judge by them."""

from collections.abc import Callable
from typing import Any

from grader.engine.exercise import CaseFunction, Exercise, Session
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.engine.verdict import CaseResult, Verdict


def exercise(*cases: CaseFunction, provides: tuple[str, ...] = ("f",)) -> Exercise:
    """An exercise with these cases, one point each, titled as they are called."""
    made = Session("ch99", "a session").exercise("ch99-e1", "an exercise", provides, ["is it?", "it is"])
    for case in cases:
        made.case(case.__name__)(case)
    return made


def judged(function: Callable[..., Any], *cases: CaseFunction, **names: Any) -> Verdict:
    """The verdict on a student whose `f` is `function` and who has `names` beside it."""
    return judge(exercise(*cases), InProcessStudent({"f": function, **names}, ("f",)))


def result(function: Callable[..., Any], case: CaseFunction, **names: Any) -> CaseResult:
    """The result of one case."""
    return judged(function, case, **names).cases[0]
