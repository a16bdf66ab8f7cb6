"""A folder in, a gradebook out: nothing twice, nothing lost, only what was asked for, the same on one core and two."""

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from papers import CHECK, RIGHT, WRONG, a_class, write

from grader.checks import exercise, sessions
from grader.classroom import batch
from grader.classroom.batch import Change, Outcome
from grader.classroom.gradebook import ANCHOR, BOOK, Gradebook, Reading
from grader.classroom.pool import MakeJob, Settings, grade_all
from grader.classroom.submission import collect
from grader.engine.exercise import Exercise
from grader.engine.judge import judge, unjudged
from grader.engine.student import InProcessStudent
from grader.sandbox.supervisor import Record
from grader.sandbox.walls import Layers

SECRET = b"a secret of the class"
E3 = "ch05-e3"


class Here:
    """Judges jobs in this process, since the batch does not care who does; counts what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, jobs: Sequence[MakeJob]) -> Iterator[Record]:
        for make in jobs:
            job = make()
            self.asked.append(tuple(job.seeds))
            names: dict[str, object] = {}
            exec("\n".join(cell for cell in job.paper.cells if "check(" not in cell), names)
            yield Record({name: self.verdict(exercise(name), names, job.seeds[name][0]) for name in job.seeds})

    def verdict(self, one: Exercise, names: dict[str, object], seed: str) -> object:
        student = InProcessStudent(names, one.provides)
        return unjudged(one, "not_found", "not there") if student.missing else judge(one, student, seed)


def grade(folder: Path, out: Path, run: object = None, **options: object) -> Outcome:
    out.mkdir(exist_ok=True)
    with Gradebook(out) as book:
        return batch.grade(collect([folder], sessions()), book, run or Here(), "full", SECRET, **options)  # type: ignore[arg-type]


def scores(out: Path) -> dict[str, dict[str, int]]:
    book = Reading(out)
    return {
        book.closing(entry)["student"]: {name: book.verdict(entry, name).points for name in entry.verdicts}
        for entry in book.closed()
    }


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return a_class(tmp_path / "class", [RIGHT, WRONG, RIGHT])


# ---- going on
def test_a_class_is_judged_once_and_a_second_run_finds_it_done(folder: Path, out: Path) -> None:
    run = Here()
    first = grade(folder, out, run)
    book = (out / BOOK).read_bytes()
    second = grade(folder, out, run)
    assert (first.judged, first.stood) == (3, 0)
    assert (second.judged, second.stood, second.outdated) == (0, 3, 0)
    assert (out / BOOK).read_bytes() == book
    assert len(run.asked) == 3


def test_a_run_that_was_interrupted_is_gone_on_with_and_nothing_is_judged_twice(folder: Path, out: Path) -> None:
    def interrupted(jobs: Sequence[MakeJob]) -> Iterator[Record]:
        for number, record in enumerate(Here()(jobs)):
            if number == 2:
                raise KeyboardInterrupt
            yield record

    with pytest.raises(KeyboardInterrupt):
        grade(folder, out, interrupted)
    assert list(scores(out)) == ["student-0", "student-1"]
    run = Here()
    outcome = grade(folder, out, run)
    assert (outcome.judged, outcome.stood, len(run.asked)) == (1, 2, 1)
    whole = out.with_name("whole")
    grade(folder, whole)
    assert (out / BOOK).read_bytes() == (whole / BOOK).read_bytes()


def test_a_newer_file_is_judged_and_the_others_stand(folder: Path, out: Path) -> None:
    grade(folder, out)
    before = scores(out)
    write(folder / "student-1" / "ch05.ipynb", RIGHT, CHECK)
    outcome = grade(folder, out)
    assert (outcome.judged, outcome.stood) == (1, 2)
    assert scores(out)["student-1"][E3] == before["student-0"][E3] > before["student-1"][E3]
    assert list(scores(out)) == list(before)


def test_what_could_not_be_judged_is_tried_again(folder: Path, out: Path) -> None:
    def broken(jobs: Sequence[MakeJob]) -> Iterator[Record]:
        for make in jobs:
            yield Record({name: unjudged(exercise(name), "not_judged", "no slot") for name in make().seeds})

    grade(folder, out, broken)
    outcome = grade(folder, out)
    assert (outcome.judged, outcome.stood) == (3, 0)
    assert scores(out)["student-0"][E3] > 0
    assert grade(folder, out).judged == 0


def test_progress_is_told_before_and_after_each(folder: Path, out: Path) -> None:
    told: list[tuple[int, int, str]] = []
    grade(folder, out, progress=lambda *now: told.append(now))
    assert told == [(n + after, 3, f"student-{n}") for n in range(3) for after in (0, 1)]


# ---- only
def test_only_what_was_asked_for_is_judged_and_the_rest_comes_with_a_later_run(folder: Path, out: Path) -> None:
    run = Here()
    grade(folder, out, run, only=[E3])
    assert run.asked == [(E3,)] * 3
    assert [list(found) for found in scores(out).values()] == [[E3]] * 3
    outcome = grade(folder, out, run)
    assert outcome.judged == 3 and outcome.changes == []
    assert set(run.asked[3:]) == {("ch05-e1", "ch05-e2", "ch05-e4")}
    assert set(scores(out)["student-0"]) == {"ch05-e1", "ch05-e2", E3, "ch05-e4"}
    assert grade(folder, out, only=["ch05"]).judged == 0


# ---- a changed check
def changed_check(monkeypatch: pytest.MonkeyPatch, version: str = "another") -> None:
    """As if ch05-e3 had another first case, which nobody passes."""
    real = Exercise.version.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(Exercise, "version", property(lambda one: version if one.id == E3 else real(one)))


class Stricter(Here):
    def verdict(self, one: Exercise, names: dict[str, object], seed: str) -> object:
        from dataclasses import replace

        found = super().verdict(one, names, seed)
        first = replace(found.cases[0], points=0, status="failed")  # type: ignore[attr-defined]
        return replace(found, cases=(first, *found.cases[1:]))  # type: ignore[type-var, attr-defined]


def test_without_regrade_verdicts_of_an_older_version_stand_and_are_counted(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(folder, out)
    before = (out / BOOK).read_bytes()
    changed_check(monkeypatch)
    outcome = grade(folder, out, Stricter())
    assert (outcome.judged, outcome.stood, outcome.outdated) == (0, 3, 3)
    assert (out / BOOK).read_bytes() == before


def test_regrade_judges_what_a_changed_check_touches_and_names_each_changed_case(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(folder, out)
    before = (out / BOOK).read_bytes()
    changed_check(monkeypatch)
    run = Stricter()
    outcome = grade(folder, out, run, regrade=True)
    assert run.asked == [(E3,)] * 3
    title = exercise(E3).cases[0].title
    worth = exercise(E3).cases[0].points
    assert outcome.changes == [Change(student, E3, title, worth, 0) for student in ("student-0", "student-2")]
    after = (out / BOOK).read_bytes()
    assert after.startswith(before), "the old verdicts stay in the chain"
    again = grade(folder, out, Stricter(), regrade=True)
    assert (again.judged, again.changes) == (0, [])


def test_a_regrade_does_not_call_an_exercise_changed_that_was_never_judged(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grade(folder, out, only=[E3])
    changed_check(monkeypatch)
    outcome = grade(folder, out, Stricter(), regrade=True)
    assert {change.exercise for change in outcome.changes} == {E3}


# ---- what cannot be judged
def test_what_cannot_be_read_has_its_row_and_costs_nobody_anything(folder: Path, out: Path) -> None:
    (folder / "student-1" / "ch05.ipynb").write_bytes(b"%PDF-1.7\xff")
    (folder / "zoe.ipynb").write_text("{}", encoding="utf-8")
    run = Here()
    assert grade(folder, out, run).judged == 4
    assert len(run.asked) == 2
    assert scores(out)["student-1"] == {} == scores(out)["zoe"]
    assert grade(folder, out, run).judged == 0


# ---- the same on one core and on two
@pytest.mark.sandbox
def test_one_worker_and_two_write_the_same_bytes(tmp_path: Path) -> None:
    noisy = "import sys\nprint(object(), file=sys.stderr)\nraise ValueError(object())"
    folder = a_class(tmp_path / "class", [RIGHT, WRONG, f"{RIGHT}\nimport os\nos._exit(3)", RIGHT])
    write(folder / "nina" / "ch05.ipynb", noisy, RIGHT, CHECK, "def run_loop(plan, tools, budget): return object()")
    books = []
    for workers in (1, 2):
        grade(folder, tmp_path / "out", partial(grade_all, settings=Settings(Layers()), workers=workers))
        books.append(((tmp_path / "out" / BOOK).read_bytes(), (tmp_path / "out" / ANCHOR).read_bytes()))
        shutil.rmtree(tmp_path / "out")
    assert books[0] == books[1]
