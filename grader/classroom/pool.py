"""Runs submissions on several processes, one slot owner each, and hands the results back in the order of the jobs.

A worker that dies is replaced and its job tried once more; a job that kills two workers gets a verdict that says so.
Results that come early wait for their turn, so that a gradebook is the same on one core and on ten.
"""

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from grader.checks import sessions, withheld
from grader.classroom.notebook_file import UnreadableError
from grader.engine.judge import PRACTICE_SEED, grading_seed, unjudged
from grader.notebook.solutions import given_cells
from grader.sandbox.core import one_core
from grader.sandbox.number import Number
from grader.sandbox.slot import Limits, Slot, SlotError
from grader.sandbox.supervisor import MAX_ATTEMPTS, Paper, Record, Sitting, Times
from grader.sandbox.walls import Layers

_TRIES = 2
_SESSIONS = 32  # numbers that one worker's slots may take: as root each number is a uid of its own
_AHEAD = 16  # jobs a worker that may be done before their turn: what a slow one holds up stays small
_spawn = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Job:
    """One submission for one session: what a worker needs to know of it, and nothing else.

    seeds: for each exercise to judge, the seed of each attempt; the secret that they come from stays where it is.
    """

    session: str
    seeds: dict[str, tuple[str, ...]]
    paper: Paper


def seeds_of(exercises: Iterable[str], digest: str, secret: bytes | None) -> dict[str, tuple[str, ...]]:
    """The seeds of a job: those of practice where there is no secret."""
    attempts = range(MAX_ATTEMPTS + 1)
    if secret is None:
        return {name: tuple(PRACTICE_SEED for _ in attempts) for name in exercises}
    return {name: tuple(grading_seed(secret, name, digest, attempt) for attempt in attempts) for name in exercises}


@dataclass(frozen=True)
class Settings:
    """How a worker grades."""

    layers: Layers
    times: Times = field(default_factory=Times)
    limits: Limits = field(default_factory=Limits)


class Seats:
    """The slots of one worker: one a session, made when the first submission of that session comes.

    No two slots of a machine have one number, whoever grades on it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._number: Number | None = None
        self._slots: dict[str, Slot] = {}

    def sit(self, job: Job, explain: bool = False) -> Record:
        """Grade one submission. explain: keep the calls and the receipt of every case."""
        session = sessions()[job.session]
        slot = self._slots.get(job.session)
        self._number = self._number or Number()
        if slot is None:
            settings = self._settings
            number = self._number.value * _SESSIONS + session.number % _SESSIONS
            slot = Slot(withheld(session), settings.layers, number, settings.limits, given_cells(session.id))
            self._slots[job.session] = slot
        exercises = [exercise for exercise in session.exercises if exercise.id in job.seeds]

        def seed_of(exercise: str, attempt: int) -> str:
            return job.seeds[exercise][attempt]

        with one_core(self._number.value):
            return Sitting(slot, exercises, job.paper, seed_of, self._settings.times, explain).run()

    def close(self) -> None:
        """End every slot."""
        for slot in self._slots.values():
            slot.close()
        if self._number is not None:
            self._number.close()

    def __enter__(self) -> "Seats":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


MakeJob = Callable[[], Job]


def grade_all(jobs: Sequence[MakeJob], settings: Settings, workers: int) -> Iterator[Record]:
    """The records of `jobs`, in their order, each as soon as those before it are there.

    Each job is made when a worker is free for it; one that raises `UnreadableError` gets a record that says so.
    """
    if not jobs:
        return
    # Also for one worker a process of its own: what ends it must not end the batch.
    pool = _Pool(jobs, settings, max(1, min(workers, len(jobs))))
    try:
        yield from pool.results()
    finally:
        pool.close()


class _Worker:
    """One process with its pipe; `job` is the number of what it works on."""

    def __init__(self, settings: Settings) -> None:
        self.job: int | None = None
        self.pipe, theirs = _spawn.Pipe()
        self.process: BaseProcess = _spawn.Process(target=_serve, args=(theirs, settings), daemon=True)
        self.process.start()
        theirs.close()

    def close(self) -> None:
        self.pipe.close()  # its end of file is the worker's sign to leave
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class _Pool:
    def __init__(self, jobs: Sequence[MakeJob], settings: Settings, workers: int) -> None:
        self._jobs = jobs
        self._settings = settings
        self._waiting = list(reversed(range(len(jobs))))
        self._tries = [0] * len(jobs)
        self._done: dict[int, Record] = {}
        self._made: dict[int, Job] = {}  # what the workers have now
        self._next = 0  # the oldest that is not handed back
        self._workers = [_Worker(settings) for _ in range(workers)]

    def results(self) -> Iterator[Record]:
        for number in range(len(self._jobs)):
            self._next = number
            for worker in [one for one in self._workers if one.job is None]:
                self._feed(worker)
            while number not in self._done:
                self._step()
            yield self._done.pop(number)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()

    def _feed(self, worker: _Worker) -> None:
        """Give a free worker the next job that can be made; far ahead of the oldest open one it waits."""
        worker.job = None
        while self._waiting and self._waiting[-1] < self._next + _AHEAD * len(self._workers):
            number = self._waiting.pop()
            try:
                job = self._jobs[number]()
            except UnreadableError as problem:
                self._done[number] = Record(notes=[str(problem)])
                continue
            worker.job = number
            self._tries[number] += 1
            self._made[number] = job
            try:
                worker.pipe.send(job)
            except OSError:
                self._replace(worker)
            return

    def _step(self) -> None:
        busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
        for pipe in wait(list(busy)):
            assert isinstance(pipe, Connection)
            worker = busy[pipe]
            try:
                record: Record = pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            assert worker.job is not None
            self._done[worker.job] = record
            del self._made[worker.job]
            self._feed(worker)

    def _replace(self, worker: _Worker) -> None:
        number = worker.job
        assert number is not None
        worker.close()
        if self._tries[number] < _TRIES:
            self._waiting.append(number)
        else:
            ended = f"ended {_TRIES} times while it worked on this notebook (exit code {worker.process.exitcode})"
            self._done[number] = not_judged(self._made.pop(number), f"the grader's own process {ended}")
        fresh = _Worker(self._settings)
        self._workers[self._workers.index(worker)] = fresh
        self._feed(fresh)


def _serve(pipe: Connection, settings: Settings) -> None:
    """A worker's life: a job in, a record out, until the other end is closed."""
    gc.freeze()  # what is imported stays: no collection needs to walk it for each submission
    with Seats(settings) as seats:
        while True:
            try:
                job: Job = pipe.recv()
                pipe.send(judged(seats, job))
            except (EOFError, OSError):
                return


def judged(seats: Seats, job: Job) -> Record:
    """The record of one job; where the slot cannot be had, one that says why."""
    try:
        record = seats.sit(job)
    except (SlotError, OSError) as problem:  # OSError: no room for the slot's folder
        return not_judged(job, str(problem))
    record.outputs.clear()  # nobody reads them in a batch, and they may be large
    return record


def not_judged(job: Job, reason: str) -> Record:
    """The record of a job that could not be carried out: a verdict that says so for each exercise."""
    exercises = [one for one in sessions()[job.session].exercises if one.id in job.seeds]
    return Record(verdicts={one.id: unjudged(one, "not_judged", reason) for one in exercises}, notes=[reason])


def default_workers() -> int:
    """One a core."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
