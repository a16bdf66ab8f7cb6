"""One check, two transports: every kept answer gets the same verdict in this process and behind the wall."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from typing import Any

import pytest

from grader.authoring.answers import Answer, odd_answers, wrong_answers
from grader.authoring.source import Source, cells_before, namespace_before, run_text, sources, student_cell
from grader.checks import exercise as find_exercise
from grader.checks import sessions, withheld
from grader.engine.exercise import Exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.engine.verdict import Verdict
from grader.sandbox.slot import Slot
from grader.sandbox.supervisor import Paper, Sitting

pytestmark = pytest.mark.sandbox
SEED = "both-transports"
UNREPEATABLE = {  # what they return is never the same twice, so only how their cases end can be compared
    "wrong/ch03-e4/address.py": "the address of an object",
    "wrong/ch03-e4/time.py": "the time",
    "wrong/ch07-e5/real_clock.py": "the time",
    "wrong/ch08-e1/real_clock.py": "the time",
}
SOURCES = {source.session_id: source for source in sources() if source.session_id in sessions()}


def answers_of(source: Source, exercise: Exercise) -> Iterator[tuple[str, str]]:
    """(name, text) of every answer to an exercise that is kept: ours, the stub, the wrong and the odd ones."""
    cells = source.of(exercise.id, "answer")
    yield "solution", "\n".join(cell.solved for cell in cells)
    yield "stub", "\n".join(student_cell(cell, exercise.title) for cell in cells)
    kept: list[Answer] = [*wrong_answers(exercise.id), *odd_answers(exercise.id)]
    for answer in kept:
        yield "/".join(answer.path.parts[-3:]), answer.text


ANSWERS = {
    (exercise.id, name): text
    for session_id, source in SOURCES.items()
    for exercise in sessions()[session_id].exercises
    if exercise.id in source.exercise_ids
    for name, text in answers_of(source, exercise)
}


@pytest.fixture(scope="module")
def slots() -> Iterator[dict[str, Slot]]:
    made = {name: Slot(withheld(session), number=60) for name, session in sessions().items()}
    yield made
    for slot in made.values():
        slot.close()


@cache
def cells_of(exercise_id: str) -> tuple[str, ...]:
    source = SOURCES[exercise_id.partition("-")[0]]
    return tuple(cell.solved for cell in cells_before(source, exercise_id))


def in_process(exercise: Exercise, text: str) -> Verdict:
    namespace = namespace_before(SOURCES[exercise.session.id], exercise.id)
    run_text(text, namespace, "answer")
    with redirect_stdout(io.StringIO()):
        return judge(exercise, InProcessStudent(namespace, exercise.provides), SEED)


@cache
def judged_here(session_id: str) -> dict[str, Any]:
    """The verdicts of the in-process transport, from a process that hashes texts as every slot does."""
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, __file__, session_id]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def record_or_error(exercise_id: str, text: str) -> Any:
    """A verdict as a record; an answer that does not even run is the fault of that answer alone."""
    try:
        return in_process(find_exercise(exercise_id), text).to_record()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def in_sandbox(slot: Slot, exercise: Exercise, text: str, *more: str) -> Verdict:
    paper = Paper((*cells_of(exercise.id), text, *more))
    return Sitting(slot, [exercise], paper, lambda _exercise, _attempt: SEED).run().verdicts[exercise.id]


@pytest.mark.parametrize(("exercise_id", "name"), [pytest.param(*key, id=" ".join(key)) for key in ANSWERS])
def test_an_answer_gets_the_same_verdict_over_both_transports(
    slots: dict[str, Slot], exercise_id: str, name: str
) -> None:
    exercise = find_exercise(exercise_id)
    other = judged_here(exercise.session.id)[f"{exercise_id} {name}"]
    assert isinstance(other, dict), other
    handed_over = f'from grader import check\ncheck("{exercise_id}", {", ".join(exercise.provides)})'
    verdict = in_sandbox(slots[exercise.session.id], exercise, ANSWERS[exercise_id, name], handed_over)
    # Only a notebook has cells: in process a frame is named by its line alone.
    there = json.loads(re.sub(r"cell \[\d+\] (?=line \d+, in )", "", json.dumps(verdict.to_record())))
    assert ends(there) == ends(other)
    assert "not_judged" not in ends(there)
    if name not in UNREPEATABLE:
        assert there == other


def ends(record: dict[str, Any]) -> list[Any]:
    """How each case ended, and with how many points."""
    return [end for case in record["cases"] for end in (case["title"], case["status"], case["points"])]


@pytest.mark.parametrize("exercise_id", [one.id for session in sessions().values() for one in session.exercises])
def test_a_notebook_that_does_not_check_itself_gets_the_same_verdict_by_name(
    slots: dict[str, Slot], exercise_id: str
) -> None:
    exercise = find_exercise(exercise_id)
    cells = SOURCES[exercise.session.id].of(exercise_id, "answer")
    verdict = in_sandbox(slots[exercise.session.id], exercise, "\n".join(cell.solved for cell in cells))
    assert verdict.passed


if __name__ == "__main__":
    wanted = {key: text for key, text in ANSWERS.items() if key[0].startswith(sys.argv[1])}
    print(json.dumps({" ".join(key): record_or_error(key[0], text) for key, text in wanted.items()}))
