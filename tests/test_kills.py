"""The grader is killed at random moments, and the same command goes on: nothing lost, nothing twice.

Five moments here, fifty with `make soak` (GRADER_KILLS=50). The moments come from fixed seeds.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.authoring.source import ROOT
from grader.sandbox.walls import missing_layers
from tests.hostile import exhaust, files, forge, unlucky
from tests.hostile.cases import EXERCISES
from tests.hostile.corpus import write_case

pytestmark = pytest.mark.sandbox

KILLS = int(os.environ.get("GRADER_KILLS", "5"))
OUTPUTS = ("gradebook.jsonl", "anchor.json", "grades.csv", "grades.json")
_CHOSEN = ("receipt-without-calls", "lying-dict", "truncated", "utf-16-le", "no-checks", "ends-in-a-case", "fork-bomb")


@dataclass
class Undisturbed:
    """The class, what it comes to when nobody dies, and how many seconds that takes."""

    submissions: Path
    seconds: float
    outputs: dict[str, bytes]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    if missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")
    place = tmp_path_factory.mktemp("kills")
    every = [*forge.CASES, *files.CASES, *exhaust.CASES, *unlucky.CASES]
    chosen = [case for case in every if case.name in _CHOSEN]
    assert len(chosen) == len(_CHOSEN)
    for number in range(3):
        for case in chosen:
            write_case(place / "class" / f"{number}-{case.name}", case)
    started = time.monotonic()
    code, left = run(place / "class", place / "out", place / "tmp")
    assert (code, left) == (2, [])
    return Undisturbed(place / "class", time.monotonic() - started, outputs(place / "out"))


def run(submissions: Path, out: Path, temporary: Path, until: float | None = None) -> tuple[int, list[str]]:
    """Run `grade`, kill it after `until` seconds where that is given; returns its exit code and what outlived it."""
    temporary.mkdir(exist_ok=True)
    report = out.with_name(f"{out.name}.json")
    for old in (report, report.with_suffix(".pid")):
        old.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.hostile.alone", str(report), sys.executable, "-m", "grader", "grade"]
    command += [str(submissions), "--out", str(out), "--jobs", "2"]
    command += ["--secret-file", str(ROOT / "examples" / "class" / "secret.txt")]
    env = {**os.environ, "TMPDIR": str(temporary)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=quiet, stderr=quiet) as wrapper:
        if until is not None:
            kill_the_command_of(wrapper, report.with_suffix(".pid"), until)
        wrapper.wait()
    said = json.loads(report.read_text(encoding="utf-8"))
    return said["code"], said["left"]


def kill_the_command_of(wrapper: subprocess.Popen[bytes], note: Path, seconds: float) -> None:
    """SIGKILL to the grader itself, `seconds` after it was started. While the wrapper has not reaped it, the number is
    its own."""
    while not (note.exists() and note.read_text(encoding="ascii")) and wrapper.poll() is None:
        time.sleep(0.005)
    time.sleep(seconds)
    pid = int(note.read_text(encoding="ascii"))
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return  # it was quicker this time
    if int(status.rpartition(")")[2].split()[1]) == wrapper.pid:
        os.kill(pid, signal.SIGKILL)


def outputs(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in OUTPUTS}


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_at_any_moment_the_same_command_goes_on(undisturbed: Undisturbed, tmp_path: Path, seed: int) -> None:
    moments = random.Random(seed)
    for _ in range(moments.choice([1, 1, 2])):
        code, left = run(
            undisturbed.submissions, tmp_path / "out", tmp_path / "tmp", moments.uniform(0, undisturbed.seconds)
        )
        assert code in (-signal.SIGKILL, 2)
        assert left == [], "workers or slots outlived the grader that was killed"
    code, left = run(undisturbed.submissions, tmp_path / "out", tmp_path / "tmp")
    assert (code, left) == (2, [])
    assert outputs(tmp_path / "out") == undisturbed.outputs
    assert list((tmp_path / "tmp").iterdir()) == [], "the slots of a killed grader were not cleared"
    verified = subprocess.run(
        [sys.executable, "-m", "grader", "verify", str(tmp_path / "out")], cwd=ROOT, capture_output=True, check=False
    )
    assert verified.returncode == 0


def test_each_verdict_stands_once(undisturbed: Undisturbed) -> None:
    records = [json.loads(line) for line in undisturbed.outputs["gradebook.jsonl"].splitlines()]
    verdicts = Counter(
        (record["payload"]["student"], record["payload"]["exercise"])
        for record in records
        if record["kind"] == "verdict"
    )
    students = {path.name for path in undisturbed.submissions.iterdir() if "truncated" not in path.name}
    assert verdicts == Counter({(student, exercise): 1 for student in students for exercise in EXERCISES})
    closed = [record["payload"]["student"] for record in records if record["kind"] == "submission"]
    assert sorted(closed) == sorted(path.name for path in undisturbed.submissions.iterdir())
