"""Seats one submission in a slot: runs its cells, judges each check where it stands, and survives whatever it does.

The tools, the ledger and the judge live here; the student's code runs in the slot's child. A child that dies is
replaced: the cells before are run again, results that stand are kept, and the sitting goes on behind what killed it.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.engine.exercise import Exercise
from grader.engine.expect import portable
from grader.engine.judge import judge, unjudged
from grader.engine.student import AGAIN_SECONDS, Gone, Stopped, Student
from grader.engine.verdict import CaseResult, Verdict
from grader.sandbox.slot import Child, Exit, Slot

MAX_ATTEMPTS = 10  # calls of check() that count for one exercise
MAX_DEATHS = 3  # children that one attempt may cost before a case has begun; a case that kills is not run again
MAX_CELL_DEATHS = 10  # children that the cells may cost
_START = 10.0  # seconds in which a new child must report
_GRACE = 1.0  # seconds that the child has to stop by itself before it is killed

_CELL_FILE = re.compile(r"<ipython-input-[^>]*>, ")  # IPython's own name of a cell, which nobody else knows

SeedOf = Callable[[str, int], str]  # (exercise id, attempt) -> seed


@dataclass(frozen=True)
class Times:
    """Wall-clock limits in seconds: for one cell, and for a whole submission."""

    cell: float = 10.0
    submission: float = 120.0


@dataclass(frozen=True)
class Paper:
    """What is graded.

    cells: the sources of the code cells, in order; elsewhere: for a name that a text cell seems to define, the
    sentence that says so.
    """

    cells: tuple[str, ...]
    elsewhere: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Used:
    """What the processes of one sitting took. It is another at each run, so it stands in no verdict.

    cpu_seconds: of all of them; peak_mib: the largest resident memory of one.
    """

    processes: int = 0
    cpu_seconds: float = 0.0
    peak_mib: float = 0.0

    def add(self, done: Exit) -> None:
        """Count one that has ended."""
        self.processes += 1
        self.cpu_seconds += done.cpu_seconds
        self.peak_mib = max(self.peak_mib, done.peak_mib)


@dataclass
class Record:
    """What a sitting brought: verdicts by exercise id, in the order of the session, and what the cells did.

    outputs: (cell index, output in notebook format); cell_errors: (cell index, one line); notes: what people should
    know, such as a cell that was skipped because it killed the process; used: what all of it took.
    """

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    outputs: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    cell_errors: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    used: Used = field(default_factory=Used, compare=False)


class SandboxedStudent(Student):
    """A student behind the wall: each request is a message to the child, whose tool calls are served meanwhile."""

    def __init__(self, child: Child, provides: tuple[str, ...], until: float, hurry: bool) -> None:
        super().__init__(provides)
        self._child = child
        self._until = until
        self._memory_mib = child.memory_mib
        if hurry:
            self._seconds = AGAIN_SECONDS

    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and serve the child's calls until its reply arrives, or the time is over."""
        child = self._child
        child.send({"t": "request", **message})
        deadline = min(time.monotonic() + message["seconds"] + _GRACE, self._until)
        late = f"did not return within {message['seconds']:g} s, and nothing could interrupt it"
        while True:
            answer = child.receive(deadline, late)
            if answer["t"] == "reply":
                if answer["run"] == message["run"]:
                    return answer
                raise Gone("crashed", "answered a question that was not asked")
            if answer["t"] != "call":
                raise Gone("crashed", f"sent {answer['t']!r} while an answer was due")
            child.send({"t": "result", **self.serve(answer)})

    def _read(self, reply: dict[str, Any]) -> Any:
        try:
            return super()._read(reply)
        except Stopped as stopped:
            if stopped.status != "out_of_memory":
                raise
            limit = f"asked for more memory than the {self._memory_mib} MiB that a notebook may use"
            raise Stopped(stopped.status, limit, stopped.error) from None


class _Replay(Exception):
    """The child is gone, what it cost is noted, and a fresh one can go on from there."""


class Sitting:
    """One submission in one slot.

    exercises: those to judge; paper: what is graded; seed_of: the seed of each attempt at an exercise;
    explain: keep the calls and the receipt of the cases that passed, too.
    """

    def __init__(
        self,
        slot: Slot,
        exercises: Sequence[Exercise],
        paper: Paper,
        seed_of: SeedOf,
        times: Times | None = None,
        explain: bool = False,
    ) -> None:
        self._slot = slot
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._explain = explain
        self._paper = paper
        self._seed_of = seed_of
        self._times = times or Times()
        self._until = 0.0
        # What stands whatever happens to a child: results of cases by attempt, and what is left out from now on.
        self._results: dict[tuple[str, int], dict[str, CaseResult]] = {}
        self._deaths: Counter[tuple[str, int]] = Counter()
        self._left_out: set[int] = set()
        self._left: dict[int, tuple[Counter[str], dict[str, Verdict]]] = {}  # what cells had brought when they died
        self._cell_deaths = 0
        self._timed_out = False
        # What the present child has brought: begun anew with each.
        self._attempts: Counter[str] = Counter()
        self._verdicts: dict[str, Verdict] = {}
        self.record = Record()

    def run(self) -> Record:
        """Play the notebook to its end, in as many children as it takes, and judge what it did not check itself."""
        self._until = time.monotonic() + self._times.submission
        again = True
        while again:
            child = self._slot.spawn()
            try:
                self._play(child)
                again = False
            except _Replay:
                again = time.monotonic() < self._until
                if not again:
                    self._give_up(Gone("timed_out", f"the notebook used up its {self._times.submission:g} s"))
            except Gone as gone:
                self._give_up(gone)
                again = False
            finally:
                self.record.outputs = list(child.outputs)
                self.record.used.add(child.end())
        self.record.verdicts = {name: self._verdicts[name] for name in self._exercises}
        return self.record

    # ---------------------------------------------------------------- one child
    def _play(self, child: Child) -> None:
        self._attempts, self._verdicts = Counter(), {}
        self.record.cell_errors = []
        up = child.receive(time.monotonic() + _START)
        if up["t"] != "up":
            raise Gone("crashed", f"sent {up['t']!r} before it was asked anything")
        for index in range(len(self._paper.cells)):
            if index not in self._left_out:
                self._cell(child, index)
            elif index in self._left:  # its checks were judged before it died: their verdicts and their numbers stand
                attempts, verdicts = self._left[index]
                self._attempts.update(attempts)
                self._verdicts.update(verdicts)
        for exercise in self._exercises.values():
            if exercise.id not in self._verdicts:
                self._verdicts[exercise.id] = self._judge(child, exercise, 0)

    def _cell(self, child: Child, index: int) -> None:
        before = self._attempts.copy()
        try:
            end = self._run_cell(child, index)
        except Gone as gone:
            attempts = self._attempts - before
            self._left[index] = attempts, {name: self._verdicts[name] for name in attempts if name in self._verdicts}
            self._cell_died(index, gone)
            raise _Replay from gone
        if not end["ok"]:
            said = _CELL_FILE.sub("", portable(f"{end['ename']}: {end['evalue']}"[:500]))
            self.record.cell_errors.append((index, said))

    def _run_cell(self, child: Child, index: int) -> dict[str, Any]:
        """Run a cell and serve its checks; the time that the checks take is not the cell's."""
        left = self._times.cell + _GRACE
        late = f"did not end within {self._times.cell:g} s, and nothing could interrupt it"
        child.send({"t": "cell", "i": index, "source": self._paper.cells[index], "seconds": self._times.cell})
        while True:
            started = time.monotonic()
            message = child.receive(min(started + left, self._until), late)
            left -= time.monotonic() - started
            if message["t"] == "cell":
                return message
            if message["t"] == "check":
                child.send({"t": "verdict", **self._check(child, message)})
            elif message["t"] == "call":
                child.send({"t": "result", "limit": "no check is running"})
            else:
                raise Gone("crashed", f"sent {message['t']!r} out of turn")

    def _cell_died(self, index: int, gone: Gone) -> None:
        """Leave the cell out from now on; after many such cells, all that follow too, so that an end is in sight."""
        self._cell_deaths += 1
        last = self._cell_deaths >= MAX_CELL_DEATHS
        self._left_out.update(range(index, len(self._paper.cells)) if last else [index])
        rest = "the cells below it were left out too" if last else "the rest went on without it"
        self.record.notes.append(f"code cell {index + 1} {gone.reason}; it was left out, and {rest}")

    # ---------------------------------------------------------------- one check
    def _check(self, child: Child, message: dict[str, Any]) -> dict[str, Any]:
        exercise = self._exercises.get(message["exercise"])
        if exercise is None:  # of another session, left out by --only, or no exercise at all: nothing to say of it
            return {"exercise": message["exercise"], "points": 0, "max_points": 0, "passed": False}
        if message["objects"] not in (0, len(exercise.provides)):
            return {"refused": f"check({exercise.id!r}, …) takes {', '.join(exercise.provides)}"}
        self._attempts[exercise.id] += 1
        if self._attempts[exercise.id] > MAX_ATTEMPTS:
            return {"refused": f"{exercise.id} was checked more than {MAX_ATTEMPTS} times; the tenth counts"}
        verdict = self._judge(child, exercise, self._attempts[exercise.id])
        self._verdicts[exercise.id] = verdict
        summary = {"points": verdict.points, "max_points": verdict.max_points, "passed": verdict.passed}
        return {"exercise": exercise.id, **summary}

    def _judge(self, child: Child, exercise: Exercise, attempt: int) -> Verdict:
        """Judge one attempt; 0 stands for the judgment at the end, of a notebook that did not check itself."""
        key = (exercise.id, attempt)
        known = self._results.setdefault(key, {})
        before = len(known)

        def keep(result: CaseResult) -> None:
            known[result.name] = result
            self._timed_out |= result.status == "timed_out"

        student = SandboxedStudent(child, exercise.provides, self._until, hurry=self._timed_out)
        try:
            missing = student.bind()
            if missing:
                return unjudged(exercise, "not_found", self._where_it_may_be(missing))
            return judge(exercise, student, self._seed_of(exercise.id, attempt), known, keep, self._explain)
        except Gone as gone:
            self._deaths[key] += len(known) == before  # otherwise it has cost a case, which is not run again
            if self._deaths[key] >= MAX_DEATHS:
                self._close(exercise, known, gone)
            raise _Replay from gone

    def _where_it_may_be(self, missing: list[str]) -> str:
        said = [self._paper.elsewhere[name] for name in missing if name in self._paper.elsewhere]
        return "; ".join([f"{', '.join(missing)} is not defined in the notebook", *said])

    def _close(self, exercise: Exercise, known: dict[str, CaseResult], gone: Gone) -> None:
        """Several children died before a case of this attempt had begun: its cases are not tried again."""
        reason = f"not tried: {exercise.id} had ended its process {MAX_DEATHS} times, the last time it {gone.reason}"
        for case in exercise.cases:
            known.setdefault(case.name, CaseResult(case.name, case.title, gone.status, 0, case.points, reason))

    def _give_up(self, gone: Gone) -> None:
        """Fill what has no verdict: results that stand keep their points, and nothing is silently zero."""
        for exercise in self._exercises.values():
            if exercise.id in self._verdicts:
                continue
            attempts = [results for (name, _), results in self._results.items() if name == exercise.id]
            known = attempts[-1] if attempts else {}
            blank = unjudged(exercise, gone.status, gone.reason)
            cases = tuple(known.get(case.name, case) for case in blank.cases)
            self._verdicts[exercise.id] = Verdict(exercise.id, exercise.title, cases, note=gone.reason)
