"""A folder of notebooks in, a gradebook out: goes on where it stopped, and no submission costs another its verdict."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from grader.checks import sessions
from grader.classroom.gradebook import Entry, Gradebook
from grader.classroom.pool import Job, MakeJob, seeds_of
from grader.classroom.submission import Submission, paper_of
from grader.sandbox.supervisor import Record

GradeAll = Callable[[Sequence[MakeJob]], Iterator[Record]]
Progress = Callable[[int, int, str], None]  # done, of how many, whose


@dataclass(frozen=True)
class Change:
    """A case whose points differ after a regrade."""

    student: str
    exercise: str
    case: str
    before: int
    after: int


@dataclass
class Outcome:
    """What one run did.

    judged: submissions judged now; stood: those with a verdict already; outdated: those of them that an older version
    of a check judged; changes: what a regrade changed.
    """

    judged: int = 0
    stood: int = 0
    changes: list[Change] = field(default_factory=list)
    outdated: int = 0


def grade(
    submissions: Sequence[Submission],
    book: Gradebook,
    grade_all: GradeAll,
    isolation: str,
    secret: bytes,
    only: Sequence[str] = (),
    regrade: bool = False,
    progress: Progress = lambda done, total, student: None,
) -> Outcome:
    """Judge what has no standing verdict, in order, and append it to `book` as it comes.

    grade_all: carries out jobs, here or on a cluster; isolation: the level that it does it at, for the record.
    only: session or exercise ids; without any, all exercises of each submission's session are judged.
    regrade: judge again what was judged by an older version of a check; otherwise such verdicts stand and are counted.
    """
    outcome = Outcome()
    due: list[tuple[Submission, tuple[str, ...]]] = []
    for one in submissions:
        wanted = versions_of(one, only)
        open_, outdated = _what_is_due(book.standing(one), wanted)
        todo = open_ + (outdated if regrade else ())
        if todo or not _is_closed(book.standing(one)):
            due.append((one, todo))
        else:
            outcome.stood += 1
            outcome.outdated += bool(outdated)
    records = grade_all([partial(_job, one, todo, secret) for one, todo in due if one.judgeable])
    for number, (one, _) in enumerate(due, 1):
        progress(number - 1, len(due), one.student)
        before = _points(book, one)
        record = next(records) if one.judgeable else None
        book.add(one, record, versions_of(one, only), isolation)
        outcome.judged += 1
        outcome.changes += _changes(one, before, _points(book, one))
        progress(number, len(due), one.student)
    return outcome


def versions_of(one: Submission, only: Sequence[str] = ()) -> dict[str, str]:
    """The present version of each wanted exercise of a submission's session, by exercise id."""
    session = sessions().get(one.session)
    wanted = [
        exercise
        for exercise in (session.exercises if session else ())
        if not only or exercise.id in only or one.session in only
    ]
    return {exercise.id: exercise.version for exercise in wanted}


def _job(one: Submission, exercises: tuple[str, ...], secret: bytes) -> Job:
    """The job of one submission, read from its file when a worker is free for it."""
    return Job(one.session, seeds_of(exercises, one.digest, secret), paper_of(one, sessions()[one.session]))


def _what_is_due(entry: Entry | None, wanted: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The wanted exercises without a verdict, and those whose verdict an older version of the check gave."""
    standing = entry.versions if entry else {}
    missing = tuple(name for name in wanted if not standing.get(name))
    return missing, tuple(name for name in wanted if standing.get(name, wanted[name]) not in ("", wanted[name]))


def _is_closed(entry: Entry | None) -> bool:
    return entry is not None and entry.closing is not None


def _points(book: Gradebook, one: Submission) -> dict[tuple[str, str], int]:
    entry = book.standing(one)
    if entry is None or entry.closing is None:
        return {}
    return {(name, case.title): case.points for name in entry.verdicts for case in book.verdict(entry, name).cases}


def _changes(
    one: Submission, before: Mapping[tuple[str, str], int], after: Mapping[tuple[str, str], int]
) -> list[Change]:
    graded = {exercise for exercise, _ in before}  # an exercise that is judged for the first time has not changed
    return [
        Change(one.student, exercise, case, before.get((exercise, case), 0), after.get((exercise, case), 0))
        for exercise, case in dict.fromkeys([*before, *after])
        if exercise in graded and before.get((exercise, case), 0) != after.get((exercise, case), 0)
    ]
