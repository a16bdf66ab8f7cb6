"""The local pool: results in the order of the jobs, and a worker that dies costs nobody a verdict."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dying import Dies
from papers import CHECK, RIGHT, WRONG

from grader.classroom.notebook_file import UnreadableError
from grader.classroom.pool import Job, Seats, Settings, grade_all, seeds_of
from grader.engine.judge import PRACTICE_SEED
from grader.sandbox.slot import SlotError
from grader.sandbox.supervisor import MAX_ATTEMPTS, Paper, Record
from grader.sandbox.walls import Layers

pytestmark = pytest.mark.sandbox
SETTINGS = Settings(Layers())


def job(*cells: Any) -> Any:
    return lambda: Job("ch05", seeds_of(["ch05-e3"], "digest", b"secret"), Paper(cells))


def points(records: Iterator[Record]) -> list[int]:
    return [sum(one.points for one in record.verdicts.values()) for record in records]


def test_records_come_in_the_order_of_the_jobs_whoever_is_first() -> None:
    slow = f"import time\ntime.sleep(0.4)\n{RIGHT}"
    jobs = [job(slow, CHECK), job(WRONG, CHECK), job(RIGHT, CHECK), job(WRONG, CHECK)]
    two, one = points(grade_all(jobs, SETTINGS, 2)), points(grade_all(jobs, SETTINGS, 1))
    assert two == one
    assert [found > 1 for found in two] == [True, False, True, False]


def test_a_worker_that_dies_is_replaced_and_its_job_is_tried_again(tmp_path: Path) -> None:
    jobs = [job(Dies(tmp_path / "once", 1, RIGHT), CHECK), job(RIGHT, CHECK)]
    once, steady = grade_all(jobs, SETTINGS, 1)
    assert once.verdicts == steady.verdicts
    assert once.verdicts["ch05-e3"].passed


def test_a_job_that_kills_two_workers_is_not_judged_and_says_so_and_the_others_are(tmp_path: Path) -> None:
    jobs = [job(RIGHT, CHECK), job(Dies(tmp_path / "always", 99, RIGHT), CHECK), job(RIGHT, CHECK)]
    before, killer, after = grade_all(jobs, SETTINGS, 2)
    assert before.verdicts["ch05-e3"].passed and after.verdicts["ch05-e3"].passed
    assert killer.verdicts["ch05-e3"].status == "not_judged"
    assert "ended 2 times while it worked on this notebook (exit code 9)" in killer.notes[0]
    assert (tmp_path / "always").read_text(encoding="utf-8") == "xx"


def test_a_file_that_changed_meanwhile_has_a_note_and_no_verdict() -> None:
    def gone() -> Job:
        raise UnreadableError("the file changed while the class was being graded")

    changed, right = grade_all([gone, job(RIGHT, CHECK)], SETTINGS, 1)
    assert (changed.verdicts, changed.notes) == ({}, ["the file changed while the class was being graded"])
    assert right.verdicts["ch05-e3"].passed


def test_nothing_to_do_starts_nothing() -> None:
    assert list(grade_all([], SETTINGS, 2)) == []


def test_a_batch_that_is_left_in_the_middle_leaves_no_process_behind() -> None:
    import multiprocessing

    before = len(multiprocessing.active_children())
    records = grade_all([job(RIGHT, CHECK)] * 3, SETTINGS, 1)
    next(records)
    records.close()  # type: ignore[attr-defined]
    assert len(multiprocessing.active_children()) == before


def test_a_slot_that_cannot_be_had_is_no_verdict_on_the_student(monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.classroom import pool

    def fails(_seats: Seats, _job: Job) -> Record:
        raise SlotError("slot 3 did not start: it ended")

    monkeypatch.setattr(pool.Seats, "sit", fails)
    with Seats(SETTINGS) as seats:
        found = pool.judged(seats, job(RIGHT, CHECK)())
    assert found.verdicts["ch05-e3"].status == "not_judged"
    assert found.notes == ["slot 3 did not start: it ended"]


def test_a_job_carries_a_seed_for_each_attempt_and_no_secret() -> None:
    seeds = seeds_of(["ch05-e1", "ch05-e2"], "digest", b"a very long secret")
    assert {len(set(of)) for of in seeds.values()} == {MAX_ATTEMPTS + 1}
    assert not set(seeds["ch05-e1"]) & set(seeds["ch05-e2"])
    assert set(seeds_of(["ch05-e1"], "digest", None)["ch05-e1"]) == {PRACTICE_SEED}
    assert "secret" not in repr(Job("ch05", seeds, Paper(())))
