"""Tests the checks: every stub fails, every solution passes, every wrong answer is rejected by the case that it names.

A check that accepts wrong work or rejects right work is found here, before a student finds it.
"""

import io
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grader.authoring.answers import Answer, odd_answers, wrong_answers
from grader.authoring.source import (
    SOLUTIONS,
    Source,
    SourceError,
    namespace_before,
    read_session,
    run_text,
    student_cell,
)
from grader.checks import sessions as all_sessions
from grader.engine.exercise import Exercise, Session
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.engine.verdict import CaseResult, Verdict
from grader.notebook.display import rows_of

SEEDS = 200  # a solution must pass on so many
ANSWER_SEEDS = 8  # a kept answer is judged on so many
MIN_WRONG = 3
MIN_ODD = 1
# Session 5 is the pattern that the others follow: as many odd answers as there are ways of being odd.
MIN_ODD_OF = {"ch05": 4}

Progress = Callable[[str, int, int], None]  # what is judged, how many are done, how many there are


@dataclass(frozen=True)
class Problem:
    """Something that must be put right. exercise: its id, or the session's; what: the file or the part concerned."""

    exercise: str
    what: str
    message: str

    def __str__(self) -> str:
        return f"{self.exercise}  {self.what}: {self.message}"


@dataclass(frozen=True)
class Report:
    """What a self-test found: the numbers of exercises and of kept answers, of verdicts made, and the problems."""

    exercises: int
    wrong: int
    odd: int
    verdicts: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing has to be put right."""
        return not self.problems

    def to_record(self) -> dict[str, Any]:
        """As plain JSON data."""
        return {**asdict(self), "problems": [asdict(problem) for problem in self.problems], "ok": self.ok}


def selftest(
    sessions: Iterable[str] | None = None,
    seeds: int = SEEDS,
    folder: Path = SOLUTIONS,
    progress: Progress = lambda _what, _done, _total: None,
) -> Report:
    """Test the checks of `sessions` (ids such as "ch05"; None: all that have checks) against the answers in `folder`.

    seeds: how many worlds a solution must pass in; wrong and odd answers get at most `ANSWER_SEEDS`.
    Raises KeyError for a session that has no checks.
    """
    known = all_sessions()
    wanted = list(known) if sessions is None else list(sessions)
    missing = sorted(set(wanted) - set(known))
    if missing:
        raise KeyError(f"there is no session {missing[0]!r} (have: {', '.join(known)})")
    run = _Run(seeds, folder, progress)
    for name in wanted:
        run.plan(known[name])
    for job in run.jobs:
        job()
    return run.report()


def selftest_in_parallel(
    sessions: Sequence[str],
    seeds: int = SEEDS,
    workers: int = 1,
    progress: Progress = lambda _what, _done, _total: None,
) -> Report:
    """The same as `selftest`, with each session in one of `workers` processes; progress names finished sessions."""
    reports = []
    with ProcessPoolExecutor(max(1, min(len(sessions), workers))) as pool:
        for number, one in enumerate(pool.map(partial(selftest, seeds=seeds), [[name] for name in sessions]), 1):
            reports.append(one)
            progress(sessions[number - 1], number, len(sessions))
    return Report(
        exercises=sum(one.exercises for one in reports),
        wrong=sum(one.wrong for one in reports),
        odd=sum(one.odd for one in reports),
        verdicts=sum(one.verdicts for one in reports),
        problems=tuple(problem for one in reports for problem in one.problems),
    )


class _Run:
    """One self-test under way."""

    def __init__(self, seeds: int, folder: Path, progress: Progress) -> None:
        self.jobs: list[Callable[[], None]] = []
        self._seeds = seeds
        self._folder = folder
        self._progress = progress
        self._done = 0
        self._verdicts = 0
        self._counts = {"exercises": 0, "wrong": 0, "odd": 0}
        self._problems: list[Problem] = []

    def report(self) -> Report:
        return Report(**self._counts, verdicts=self._verdicts, problems=tuple(self._problems))

    # ---------------------------------------------------------------- what there is to do
    def plan(self, session: Session) -> None:
        path = self._folder / f"{session.id}.py"
        if not path.exists():
            self._problem(session.id, path.name, "the session has checks and no source")
            return
        try:
            source = read_session(path)
            odd = sum([self._plan_exercise(exercise, source) for exercise in session.exercises])
        except SourceError as error:
            self._problem(session.id, path.name, str(error))
            return
        fewest = MIN_ODD_OF.get(session.id, MIN_ODD)
        if odd < fewest:
            self._problem(session.id, "odd", f"{odd} odd answers; a session needs at least {fewest}")
        for extra in sorted(set(source.exercise_ids) - {exercise.id for exercise in session.exercises}):
            self._problem(extra, path.name, "the source has an answer cell and the checks have no such exercise")

    def _plan_exercise(self, exercise: Exercise, source: Source) -> int:
        """Add the jobs of one exercise; returns how many odd answers it has."""
        wrong, odd = wrong_answers(exercise.id, self._folder), odd_answers(exercise.id, self._folder)
        self._counts["exercises"] += 1
        self._counts["wrong"] += len(wrong)
        self._counts["odd"] += len(odd)
        self._lint(exercise, source, wrong)
        if exercise.id in source.exercise_ids:
            self._add(f"{exercise.id} stub", partial(self._stub, exercise, source))
            self._add(f"{exercise.id} solution", partial(self._solution, exercise, source))
            for answer in wrong:
                self._add(_name(answer), partial(self._wrong, exercise, source, answer))
            for answer in odd:
                self._add(_name(answer), partial(self._odd, exercise, source, answer))
        return len(odd)

    def _lint(self, exercise: Exercise, source: Source, wrong: Sequence[Answer]) -> None:
        places = {tag: [cell.number for cell in source.of(exercise.id, tag)] for tag in ("answer", "demo", "check")}
        for tag, found in places.items():
            if not found:
                self._problem(exercise.id, source.path.name, f"it has no {tag} cell")
        if all(places.values()) and not max(places["answer"]) < min(places["demo"]) < min(places["check"]):
            self._problem(exercise.id, source.path.name, "its cells must come in the order answer, demo, check")
        if len(wrong) < MIN_WRONG:
            self._problem(exercise.id, "wrong", f"{len(wrong)} wrong answers; an exercise needs at least {MIN_WRONG}")
        if len(exercise.hints) < 2 or "?" not in exercise.hints[0]:
            self._problem(
                exercise.id, "hints", "an exercise needs at least two hints, of which the first asks something"
            )

    def _add(self, what: str, work: Callable[[], None]) -> None:
        def job() -> None:
            self._progress(what, self._done, len(self.jobs))
            work()
            self._done += 1
            if self._done == len(self.jobs):
                self._progress("", self._done, len(self.jobs))

        self.jobs.append(job)

    # ---------------------------------------------------------------- the jobs
    def _stub(self, exercise: Exercise, source: Source) -> None:
        text = "\n".join(student_cell(cell, exercise.title) for cell in source.of(exercise.id, "answer"))
        for verdict in self._judged(exercise, source, text, "stub", seeds=1):
            if verdict.points:
                held = ", ".join(case.title for case in verdict.cases if case.points)
                self._problem(exercise.id, "stub", f"it gets {verdict.points} points, for: {held}")

    def _solution(self, exercise: Exercise, source: Source) -> None:
        text = "\n".join(cell.solved for cell in source.of(exercise.id, "answer"))
        self._must_pass(exercise, source, text, "solution", self._seeds)

    def _odd(self, exercise: Exercise, source: Source, answer: Answer) -> None:
        self._must_pass(exercise, source, answer.text, _name(answer), min(self._seeds, ANSWER_SEEDS))

    def _must_pass(self, exercise: Exercise, source: Source, text: str, what: str, seeds: int) -> None:
        for number, verdict in enumerate(self._judged(exercise, source, text, what, seeds)):
            if not verdict.passed:
                failed = next(case for case in verdict.cases if case.status != "passed")
                self._problem(exercise.id, what, f"seed {number}: {failed.title}: {_said(failed)}")
                return

    def _wrong(self, exercise: Exercise, source: Source, answer: Answer) -> None:
        what = _name(answer)
        titles = [case.title for case in exercise.cases]
        if answer.rejected_by not in titles:
            self._problem(exercise.id, what, f"there is no case {answer.rejected_by!r} (have: {'; '.join(titles)})")
            return
        for number, verdict in enumerate(
            self._judged(exercise, source, answer.text, what, min(self._seeds, ANSWER_SEEDS))
        ):
            case = next(case for case in verdict.cases if case.title == answer.rejected_by)
            if case.status in ("passed", "not_judged"):
                others = "; ".join(c.title for c in verdict.cases if c.status != "passed") or "none"
                self._problem(
                    exercise.id, what, f"seed {number}: {case.title!r} ended as {case.status} (rejected by: {others})"
                )
                return
            if answer.must_say not in _said(case):
                self._problem(exercise.id, what, f"seed {number}: nowhere {answer.must_say!r} in: {_said(case)}")
                return

    def _judged(self, exercise: Exercise, source: Source, text: str, what: str, seeds: int) -> Iterable[Verdict]:
        """The verdicts on `text` in as many worlds; none, and a problem, where it cannot even be run."""
        namespace = namespace_before(source, exercise.id)
        for name in exercise.provides:
            namespace.pop(name, None)  # an answer that defines nothing must not live on an earlier exercise's
        try:
            run_text(text, namespace, what)
        except Exception as error:
            self._problem(exercise.id, what, f"it does not run: {type(error).__name__}: {error}")
            return
        absent = [name for name in exercise.provides if name not in namespace]
        if absent:
            self._problem(exercise.id, what, f"it does not define {', '.join(absent)}")
            return
        for number in range(seeds):
            with redirect_stdout(io.StringIO()):
                verdict = judge(exercise, InProcessStudent(namespace, exercise.provides), f"selftest-{number}")
            self._verdicts += 1
            yield verdict

    def _problem(self, exercise: str, what: str, message: str) -> None:
        self._problems.append(Problem(exercise, what, message))


def _name(answer: Answer) -> str:
    return "/".join(answer.path.parts[-3:])


def _said(case: CaseResult) -> str:
    """What a student reads below the title of a case that did not pass."""
    return "\n".join(f"{label} {text}" for label, text in rows_of(case))
