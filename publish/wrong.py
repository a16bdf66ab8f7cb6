"""One wrong answer to each exercise, chosen because it teaches something, and what the check says of it."""

import io
import json
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.answers import Answer, wrong_answers
from grader.authoring.source import SOLUTIONS, Source, SourceError, namespace_before, run_text
from grader.checks import exercise as find_exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.engine.verdict import Verdict

CHOSEN = Path(__file__).parent / "instructive.json"


@dataclass(frozen=True)
class WrongAnswer:
    """A kept wrong answer and its verdict on the values of practice. code: its text without the docstring."""

    what: str
    code: str
    verdict: Verdict


def instructive(source: Source, exercise_id: str, folder: Path = SOLUTIONS) -> WrongAnswer:
    """The wrong answer to show for an exercise: the one that `instructive.json` names, or else the first by file name.

    Raises `SourceError` where there is none, where the named one does not exist, or where it passes.
    """
    answer = _chosen(exercise_id, folder)
    exercise = find_exercise(exercise_id)
    namespace = namespace_before(source, exercise_id)
    for name in exercise.provides:
        namespace.pop(name, None)
    run_text(answer.text, namespace, answer.path.name)
    with redirect_stdout(io.StringIO()):
        verdict = judge(exercise, InProcessStudent(namespace, exercise.provides))
    if verdict.passed:
        raise SourceError(f"{answer.path.name}: this wrong answer to {exercise_id} passes; run `grader selftest`")
    return WrongAnswer(answer.what, _without_docstring(answer.text), verdict)


def _chosen(exercise_id: str, folder: Path) -> Answer:
    answers = {answer.path.stem: answer for answer in wrong_answers(exercise_id, folder)}
    if not answers:
        raise SourceError(f"{exercise_id}: no wrong answer in {folder.name}/wrong/{exercise_id}; add one")
    name = json.loads(CHOSEN.read_text(encoding="utf-8")).get(exercise_id, next(iter(answers)))
    if name not in answers:
        raise SourceError(f"{CHOSEN.name} names {name!r} for {exercise_id}, and there is no such file; choose another")
    return answers[name]


def _without_docstring(text: str) -> str:
    """The answer as a student would have written it: what its docstring says of it is said beside it."""
    return text.split('"""', 2)[2].strip("\n")
