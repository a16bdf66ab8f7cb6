"""The arms of the measurement: each is set up once, and then grades its submissions once a round.

An arm returns milliseconds a submission, and raises where the scores are not what they must be: a fast grader that
graded nothing is not measured.
"""

import json
import os
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from bench import notebooks
from bench.trivial import TRIVIAL, trivial_cells
from grader.engine.exercise import Exercise
from grader.engine.judge import PRACTICE_SEED
from grader.sandbox import walls
from grader.sandbox.core import one_core
from grader.sandbox.slot import Slot
from grader.sandbox.supervisor import Paper, Sitting

ROOT = Path(__file__).resolve().parents[1]
RIVALS = ROOT / "build" / "rivals"
SUBMISSIONS = 20  # a round, of every arm but otter, whose every submission is a command of its own
OTTER_SUBMISSIONS = 3
POINTS = sum(len(one.claims) for one in TRIVIAL)


class Skipped(Exception):
    """This arm cannot be measured here; the text says why and what to do."""


class WrongScore(Exception):
    """An arm did not give every submission all points."""


class Arm(ABC):
    """One thing that is measured. Making it sets it up; that is not timed.

    turns: how often a round measures it; submissions: how many one measurement grades.
    """

    turns: ClassVar[int] = SUBMISSIONS
    submissions: ClassVar[int] = 1

    @abstractmethod
    def grade(self) -> None:
        """Grade `submissions` submissions, once."""

    def close(self) -> None:  # noqa: B027  # most arms hold nothing
        """Let go of what the arm holds."""

    def milliseconds(self) -> float:
        """Wall-clock time of one submission, measured now."""
        started = time.perf_counter()
        self.grade()
        return 1000 * (time.perf_counter() - started) / self.submissions


# ---------------------------------------------------------------------------------------------------------------- ours
class Ours(Arm):
    """Our sandbox after start-up, one slot: a sitting for each submission.

    level: of isolation; paper, exercises: what is handed in and judged; given: cells that are known before.
    """

    def __init__(
        self,
        level: str,
        paper: Paper,
        exercises: list[Exercise],
        withheld: list[str],
        number: int,
        given: Sequence[str] = (),
    ) -> None:
        try:
            layers = walls.require(level)
        except walls.IsolationUnavailable as why:
            raise Skipped(str(why)) from None
        self._paper = paper
        self._exercises = exercises
        self._slot = Slot(withheld, layers, number, given=given)
        self._points = sum(exercise.points for exercise in exercises)
        self.grade()

    def close(self) -> None:
        self._slot.close()

    def grade(self) -> None:
        with one_core(self._slot.number):  # as a worker of a batch does
            record = Sitting(self._slot, self._exercises, self._paper, lambda _exercise, _attempt: PRACTICE_SEED).run()
        _insist(sum(verdict.points for verdict in record.verdicts.values()), self._points)


class Floor(Arm):
    """The same cells in a warm fork without isolation; see `bench/floor.py`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "bench.floor"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._say(json.dumps(trivial_cells()))
        self.grade()

    def grade(self) -> None:
        _insist(float(self._say("again")), POINTS)

    def close(self) -> None:
        self._process.communicate()

    def _say(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


# ---------------------------------------------------------------------------------------------------------- the rivals
class Rival(Arm):
    """Another grader, by its own command line, in its own virtual environment."""

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self._bin = RIVALS / self.name / "bin"
        if not (self._bin / self.name).exists():
            raise Skipped(f"{self.name} is not installed below build/rivals/: run `make bench-rivals` first")
        self.folder = folder / self.name
        self.folder.mkdir(parents=True)
        # Its kernels and helper programs are found by the path; nothing of the user's own configuration is.
        own = {name: str(folder / "home") for name in ("HOME", "JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
        self._environment = {**os.environ, **own, "PATH": f"{self._bin}{os.pathsep}{os.environ['PATH']}"}
        self._environment.pop("PYTHONPATH", None)

    def command(self, *arguments: str) -> None:
        """Run the rival; raises with its last words where it does not end well."""
        line = [str(self._bin / self.name), *arguments]
        done = subprocess.run(line, cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise WrongScore(f"{' '.join([self.name, *arguments])} ended with {done.returncode}: {done.stderr[-600:]}")


class Nbgrader(Rival):
    """`nbgrader autograde` of all submissions in one command, its start-up included."""

    name = "nbgrader"
    turns = 1
    submissions = SUBMISSIONS

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        _write(self.folder / "source" / "ps1" / "ps1.ipynb", notebooks.nbgrader_source())
        self.command("generate_assignment", "ps1")
        released = json.loads((self.folder / "release" / "ps1" / "ps1.ipynb").read_text(encoding="utf-8"))
        answered = notebooks.nbgrader_submission(released)
        for number in range(self.submissions):
            _write(self.folder / "submitted" / f"s{number:02}" / "ps1" / "ps1.ipynb", answered)
        self.grade()
        self._look_at_the_scores()

    def grade(self) -> None:
        self.command("autograde", "ps1", "--force")

    def _look_at_the_scores(self) -> None:
        self.command("export")
        lines = (self.folder / "grades.csv").read_text(encoding="utf-8").splitlines()
        column = lines[0].split(",").index("raw_score")
        for line in lines[1:]:
            _insist(float(line.split(",")[column]), POINTS)
        _insist(len(lines) - 1, self.submissions)


class Otter(Rival):
    """`otter run`, one command a submission, its start-up included: it has no other way without containers."""

    name = "otter"
    turns = OTTER_SUBMISSIONS

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        notebooks.write_otter_tests(self.folder / "tests")
        _write(self.folder / "ps1.ipynb", notebooks.otter_submission())
        self.command("generate", "-t", "tests", "-o", "autograder.zip", "--no-requirements", "--no-environment")
        self.grade()

    def grade(self) -> None:
        results = self.folder / "results.json"
        results.unlink(missing_ok=True)
        self.command("run", "-a", "autograder.zip", "-o", ".", "ps1.ipynb")
        tests = json.loads(results.read_text(encoding="utf-8"))["tests"]
        _insist(sum(test.get("score") or 0 for test in tests), POINTS)


def _write(path: Path, notebook: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8", newline="\n")


def _insist(points: float, wanted: float) -> None:
    if points != wanted:
        raise WrongScore(f"{points:g} where {wanted:g} were due")
