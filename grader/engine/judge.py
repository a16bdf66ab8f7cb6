"""Runs the cases of one exercise on one student: the only way to a verdict."""

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader.engine.exercise import Case, Exercise
from grader.engine.expect import Failure, show
from grader.engine.student import Gone, Stopped, Student, StudentError
from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.engine.world import Call, World

PRACTICE_SEED = "practice"
_MAX_LINES = 12


def grading_seed(secret: bytes, exercise: str, digest: str, attempt: int) -> str:
    """The seed of one graded attempt: the same for the same submission, known to nobody without the secret."""
    return hmac.new(secret, f"{exercise}\0{digest}\0{attempt}".encode(), hashlib.sha256).hexdigest()


def judge(
    exercise: Exercise,
    student: Student,
    seed: str = PRACTICE_SEED,
    known: Mapping[str, CaseResult] | None = None,
    on_result: Callable[[CaseResult], None] = lambda _: None,
    explain: bool = False,
) -> Verdict:
    """Judge `exercise` on `student`.

    known: results by case name that stand already, from before the student's process had to be replaced.
    explain: keep the calls and the receipt of the cases that passed, too.
    on_result: called with each new result. Raises `Gone`, after it, where the student's process is no more.
    """
    results = []
    for case in exercise.cases:
        result = (known or {}).get(case.name)
        if result is None:
            result, gone = run_case(exercise, case, student, seed, explain)
            on_result(result)
            if gone is not None:
                raise gone
        results.append(result)
    student.clear()
    return Verdict(exercise.id, exercise.title, tuple(results))


def run_case(
    exercise: Exercise, case: Case, student: Student, seed: str, explain: bool = False
) -> tuple[CaseResult, Gone | None]:
    """Run one case in a world of its own. Returns its result, and `Gone` where the student's process ended."""
    world = World(f"{seed}/{exercise.id}/{case.name}")
    student.enter(world)
    gone: Gone | None = None
    status, points, reason, finding = "passed", case.points, "", None
    try:
        case.run(student, world)
        _no_late_calls(world)
        finding = _finding(student, world, "", "", "") if explain else None
    except Failure as failure:
        status, points = "failed", 0
        finding = _finding(student, world, failure.expected, failure.got, failure.because)
    except StudentError as error:
        status, points = "failed", 0
        finding = _finding(student, world, "no exception", str(error), "", tuple(error.traceback))
    except (Stopped, Gone) as end:
        status, points, reason = end.status, 0, end.reason
        finding = _finding(student, world, "", "", "")
        gone = end if isinstance(end, Gone) else None
    except Exception as defect:  # a mistake in the check is never a student's zero
        status, points, reason = "not_judged", 0, f"the check itself failed: {type(defect).__name__}: {defect}"
    finally:
        student.leave()
    return CaseResult(case.name, case.title, status, points, case.points, reason, finding), gone


def unjudged(exercise: Exercise, status: str, reason: str) -> Verdict:
    """A verdict for an exercise that could not be run: no points, and the reason with every case."""
    results = [CaseResult(case.name, case.title, status, 0, case.points, reason) for case in exercise.cases]
    return Verdict(exercise.id, exercise.title, tuple(results), note=reason)


def _no_late_calls(world: World) -> None:
    late = world.ledger.late()
    if late:
        raise Failure(
            "no tool call after the function had returned",
            f"{len(late)} of them",
            "reporting a stop and stopping are different things",
        )


def _finding(
    student: Student, world: World, expected: str, got: str, because: str, traceback: tuple[str, ...] = ()
) -> Finding:
    value, entries = student.last_value, world.ledger.entries[student.first_entry :]
    reported = _reported(value)
    return Finding(
        expected=expected,
        got=got,
        because=because,
        call=student.last_call(),
        returned=_returned(value),
        happened=_cut([str(call) for call in entries]),
        reported=None if reported is None else _cut(reported),
        parts_at=None if reported is None else _parts_at(entries, reported),
        traceback=traceback,
    )


def _returned(value: Any) -> str:
    """What came back; of a receipt all but its steps, which stand beside the ledger."""
    if value is None:
        return ""
    if isinstance(value, dict) and isinstance(value.get("steps"), list):
        return ", ".join(f"{key}={show(item, 200)}" for key, item in value.items() if key != "steps")
    return show(value)


def _reported(value: Any) -> list[str] | None:
    """The steps of a receipt, written as the ledger writes its calls, or None where the value is no receipt."""
    steps = value.get("steps") if isinstance(value, dict) else None
    if not isinstance(steps, list):
        return None
    return [_step_text(step) for step in steps]


def _step_text(step: Any) -> str:
    if isinstance(step, dict) and {"tool", "args", "result"} <= set(step):
        return str(Call(str(step["tool"]), step["args"], step["result"]))
    return show(step, 120)


def _parts_at(entries: Sequence[Call], reported: Sequence[str]) -> int | None:
    """Where in the ledger the receipt parts from it; a call that raised is in the ledger and rightly in no receipt."""
    position = 0
    for number, call in enumerate(entries):
        if call.error is not None:
            continue
        if call.late or position >= len(reported) or str(call) != reported[position]:
            return number
        position += 1
    return len(entries) if position < len(reported) else None


def _cut(lines: list[str]) -> tuple[str, ...]:
    if len(lines) <= _MAX_LINES:
        return tuple(lines)
    return (*lines[: _MAX_LINES - 1], f"… and {len(lines) - _MAX_LINES + 1} more")
