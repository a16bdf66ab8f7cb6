"""Measures everything in one run, the arms in turn in each round, and writes results.json and docs/benchmarks.md.

    python -m bench.run [--rounds 5] [--class-size 500] [--only ARM …]

A busy machine disturbs neighbours in one round alike, so compare within a run and not between two. Nothing is asserted
about time; an arm that cannot run here is left out, and the reason is printed.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench import machine, notebooks
from bench.arms import ROOT, Arm, Floor, Nbgrader, Otter, Ours, Skipped
from bench.memory import PeakMemory
from bench.report import ARMS, DOCUMENT, RESULTS, Results, page
from bench.transcript_speed import verify_ratios
from bench.trivial import given_cells, trivial_cells, trivial_session
from grader.checks import sessions, withheld
from grader.notebook import solutions
from grader.sandbox import walls
from grader.sandbox.supervisor import Paper

RECORDS = 1_000_000  # of the transcript that is verified


def main() -> None:
    """Measure and write."""
    options = _options()
    load, cores = os.getloadavg()[0], machine.cores()
    if load > cores / 2:
        print(f"this machine is busy (load {load:.1f} on {cores} cores): times will be too long, ratios less so")
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as scratch:
        results = measure(
            Path(scratch),
            options.rounds,
            options.class_size,
            options.only or [*ARMS, "session5", "class", "transcript"],
        )
    if options.only:
        print(json.dumps(results, indent=1))
        return
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8", newline="\n")
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(page(results), encoding="utf-8", newline="\n")
    print(page(results))


def measure(scratch: Path, rounds: int, class_size: int, wanted: list[str]) -> Results:
    """Set up what is wanted, take the rounds, and return the medians."""
    whole_class = _class_of(scratch, class_size) if "class" in wanted else None
    seconds: list[float] = []
    peaks: list[float] = []
    with ExitStack() as stack:
        arms = _set_up(scratch, wanted, stack)
        gc.freeze()  # as a worker of a batch does
        times: dict[str, list[float]] = {name: [] for name in arms}
        for number in range(1, rounds + 1):
            _round(arms, times)
            for name, values in times.items():
                print(f"after round {number}: {name:12} {median(values):10.1f} ms a submission", flush=True)
            if whole_class is not None:
                took, peak = whole_class(number)
                seconds.append(took)
                peaks.append(peak)
                print(f"round {number}: {class_size} submissions in {took:.1f} s, peak {peak:.0f} MiB", flush=True)
    medians = {name: round(median(values), 2) for name, values in times.items()}
    return {
        "arms": {name: medians.get(name) for name in ARMS},
        "ratios": {
            "nbgrader/ours_full": _ratio(medians, "nbgrader", "ours_full"),
            "otter_run/ours_full": _ratio(medians, "otter_run", "ours_full"),
            "ours_full/floor": _ratio(medians, "ours_full", "floor"),
        },
        "session5_ms": medians.get("session5"),
        "class500_s": round(median(seconds), 2) if seconds else None,
        "peak_mib_500": round(max(peaks), 1) if peaks else None,
        "verify_ratios": verify_ratios(scratch, RECORDS, 3) if "transcript" in wanted else None,
        "machine": machine.description(),
        "versions": machine.versions(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def _round(arms: dict[str, Arm], times: dict[str, list[float]]) -> None:
    """Every arm as often as a round wants it, in turn: one that is disturbed has neighbours that are disturbed too."""
    for turn in range(max((arm.turns for arm in arms.values()), default=0)):
        for name, arm in arms.items():
            if turn < arm.turns:
                times[name].append(arm.milliseconds())


def _set_up(scratch: Path, wanted: list[str], stack: ExitStack) -> dict[str, Arm]:
    trivial = Paper(tuple(trivial_cells()))
    exercises = trivial_session().exercises
    ch05, of_ch05 = sessions()["ch05"], solutions.given_cells("ch05")

    def ours(level: str, number: int) -> Callable[[], Arm]:
        return lambda: Ours(level, trivial, exercises, [], number, given_cells())

    makers: dict[str, Callable[[], Arm]] = {
        "ours_full": ours("full", 90),
        "ours_partial": ours("partial", 92),
        "ours_none": ours("none", 94),
        "floor": Floor,
        "nbgrader": lambda: Nbgrader(scratch),
        "otter_run": lambda: Otter(scratch),
        "session5": lambda: Ours("full", notebooks.session5_paper(), ch05.exercises, withheld(ch05), 96, of_ch05),
    }
    arms: dict[str, Arm] = {}
    for name, make in makers.items():
        if name not in wanted:
            continue
        try:
            arms[name] = make()
            stack.callback(arms[name].close)
        except Skipped as why:
            print(f"{name} is left out: {why}", flush=True)
    return arms


def _class_of(scratch: Path, size: int) -> Callable[[int], tuple[float, float]] | None:
    """A function that grades a whole class with the real command: (seconds, peak MiB of all its processes)."""
    try:
        walls.require("full")
    except walls.IsolationUnavailable as why:
        print(f"the class is left out: {why}", flush=True)
        return None
    notebooks.write_class(scratch / "class", size)

    def grade(number: int) -> tuple[float, float]:
        out = scratch / f"graded-{number}"
        command = [sys.executable, "-m", "grader", "grade", str(scratch / "class"), "--out", str(out)]
        started = time.perf_counter()
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process, PeakMemory(process.pid) as peak:
            process.wait()
        took = time.perf_counter() - started
        rows = len((out / "grades.csv").read_text(encoding="utf-8").splitlines()) - 1
        if process.returncode or rows != size:
            sys.exit(f"bench: grade ended with {process.returncode} and {rows} rows for {size} submissions")
        return took, peak.mib

    return grade


def _ratio(medians: dict[str, float], over: str, under: str) -> float | None:
    return round(medians[over] / medians[under], 2) if over in medians and under in medians else None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.run", description="Measure the grader beside others.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each arm is measured; medians are taken")
    parser.add_argument("--class-size", type=int, default=500, help="submissions of the whole class")
    parser.add_argument("--only", nargs="+", help="these arms alone (or session5, class); prints, and writes no file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
