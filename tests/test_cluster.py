"""Grading on a cluster: a real scheduler and two real workers on loopback, one of them killed in the middle."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.authoring.source import ROOT
from grader.checks import sessions
from grader.classroom import pool
from grader.classroom.pool import Job, Seats, Settings, judged, seeds_of
from grader.sandbox.number import Number
from grader.sandbox.slot import Slot, SlotError
from grader.sandbox.supervisor import Paper
from grader.sandbox.walls import Layers, missing_layers
from tests.hostile import forge, unlucky
from tests.hostile.cases import EXERCISES
from tests.hostile.corpus import write_case

SECRET = ["--secret-file", str(ROOT / "examples" / "class" / "secret.txt")]
NO_WALLS = Settings(Layers(False, False, False, False))


# ------------------------------------------------------------------------------------------------------- a real cluster
@dataclass
class Cluster:
    """A scheduler with two workers of one thread each."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    if missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")
    note = tmp_path / "scheduler.json"
    started = [dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(note))]
    try:
        address = json.loads(_once_written(note, started[0]))["address"]
        started += [dask("worker", address, "--nthreads", "1", "--no-nanny", "--name", f"worker-{n}") for n in (1, 2)]
        _wait_for_workers(address, 2)
        yield Cluster(address, started[1:])
    finally:
        # One after the other: a Dask worker that is told to end while its scheduler ends too may wait for ever.
        for process in reversed(started):
            process.terminate()
            process.wait(60)


def dask(*arguments: str) -> subprocess.Popen[bytes]:
    """One of the two commands that start a cluster."""
    command = [str(Path(sys.executable).with_name("dask")), *arguments, "--no-dashboard"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _once_written(path: Path, by: subprocess.Popen[bytes]) -> str:
    while by.poll() is None:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text.rstrip().endswith("}"):
            return text
        time.sleep(0.05)
    raise AssertionError("the scheduler did not start")


def _wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=60)


def write_class(folder: Path, copies: int) -> list[str]:
    """A class that takes a while; returns its students."""
    chosen = [
        case for case in (*forge.CASES, *unlucky.CASES) if case.name in ("lying-list", "no-checks", "ends-in-a-case")
    ]
    names = [f"{n:02}-{case.name}" for n in range(copies) for case in chosen]
    for name, case in zip(names, chosen * copies, strict=True):
        write_case(folder / name, case)
    return names


def grade(submissions: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "grader", "grade", str(submissions), "--out", str(out), *SECRET, *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.sandbox
def test_with_a_worker_killed_in_the_middle_every_submission_gets_exactly_one_verdict(
    cluster: Cluster, tmp_path: Path
) -> None:
    students = write_class(tmp_path / "class", copies=12)
    book = tmp_path / "out" / "gradebook.jsonl"
    grading = grade(tmp_path / "class", tmp_path / "out", "--scheduler", cluster.address)
    while grading.poll() is None and not (book.exists() and book.read_bytes().count(b'"submission"') >= 8):
        time.sleep(0.01)
    assert grading.poll() is None, "it ended before a worker could be killed in the middle"
    cluster.workers[0].kill()
    _, said = grading.communicate()
    assert grading.returncode == 0, said
    records = [json.loads(line)["payload"] for line in book.read_text(encoding="utf-8").splitlines()]
    verdicts = Counter((one["student"], one["exercise"]) for one in records if "verdict" in one)
    assert verdicts == Counter({(student, exercise): 1 for student in students for exercise in EXERCISES})
    local = grade(tmp_path / "class", tmp_path / "local", "--jobs", "1")
    assert local.wait() == 0
    assert (tmp_path / "local" / "gradebook.jsonl").read_bytes() == book.read_bytes(), "the cluster judged otherwise"


@pytest.mark.sandbox
def test_a_worker_that_has_graded_ends_when_it_is_told_to(cluster: Cluster, tmp_path: Path) -> None:
    write_class(tmp_path / "class", copies=1)
    assert grade(tmp_path / "class", tmp_path / "out", "--scheduler", cluster.address).wait() == 0
    for worker in cluster.workers:
        worker.terminate()
    assert [worker.wait(60) for worker in cluster.workers] == [0, 0]


def test_an_address_where_nobody_answers_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    write_class(tmp_path / "class", copies=1)
    script = "from grader.classroom import cluster; cluster._CONNECT_SECONDS = 1; from grader.cli import main; main()"
    out = ["--out", str(tmp_path / "out"), "--scheduler", "tcp://127.0.0.1:9", "--isolation", "none"]
    done = subprocess.run(
        [sys.executable, "-c", script, "grade", str(tmp_path / "class"), *out],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("grader: no Dask scheduler answers at tcp://127.0.0.1:9: ")


# --------------------------------------------------------------------------------------------------- one worker's slots
def a_job(session: str = "ch05") -> Job:
    exercises = [exercise.id for exercise in sessions()[session].exercises]
    return Job(session, seeds_of(exercises, "digest", None), Paper(()))


def test_a_slot_that_cannot_be_had_is_a_verdict_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Slot) -> None:
        raise SlotError("slot 7 did not start: no room")

    monkeypatch.setattr(Slot, "spawn", fail)
    with Seats(NO_WALLS) as seats:
        record = judged(seats, a_job())
    assert {verdict.status for verdict in record.verdicts.values()} == {"not_judged"}
    assert list(record.verdicts) == list(EXERCISES)
    assert record.notes == ["slot 7 did not start: no room"]


def test_no_two_slots_of_a_machine_have_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers: list[int] = []

    def note(self: Slot) -> None:
        numbers.append(self.number)
        raise SlotError("enough")

    monkeypatch.setattr(Slot, "spawn", note)
    with Seats(NO_WALLS) as one, Seats(NO_WALLS) as other:
        for seats in (one, other):
            for session in sessions():
                judged(seats, a_job(session))
    assert len(set(numbers)) == len(numbers) == 2 * len(sessions())
    assert max(session.number for session in sessions().values()) < pool._SESSIONS


def test_a_number_is_free_again_when_its_owner_lets_go() -> None:
    first, second = Number(), Number()
    assert first.value != second.value
    first.close()
    third = Number()
    assert third.value == first.value
    second.close()
    third.close()
