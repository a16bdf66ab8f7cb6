"""How fast a transcript is verified and appended to, against the floor: parsing and hashing each line and nothing else.

    python bench/transcript_speed.py [--records 1000000] [--rounds 3]

Floor and verifier take turns on the same file in one process, and the ratio is taken round by round, so that a noisy
machine disturbs both alike. It prints; it asserts nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from course.transcript import GENESIS, TranscriptWriter, make_record, verify_file

WORKLOADS: dict[str, Callable[[int], dict[str, Any]]] = {
    "a tool record": lambda n: {"name": "add", "args": {"a": n, "b": 2}, "attempt": 1, "ok": True, "result": n + 2},
    "a verdict, 1 kB": lambda n: {
        "student": f"student-{n:06}",
        "exercise": "ch05-e2",
        "cases": [{"title": f"case {k} of the exercise", "status": "passed", "points": 1.5} for k in range(12)],
        "message": "the call, what was expected, what came instead, and why it matters: naïve, 20 €" * 2,
    },
}


def write(path: Path, payload: Callable[[int], dict[str, Any]], records: int) -> None:
    head = GENESIS
    with path.open("wb") as file:
        for n in range(records):
            record, line = make_record("tool", payload(n), n, head)
            head = record["hash"]
            file.write(line)


def floor(path: Path) -> None:
    """What nobody can do without: parse every line, and hash its bytes."""
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
            hashlib.sha256(line).hexdigest()


def by_the_book(path: Path) -> None:
    """Parse every line and compute its hash as it is defined, over the canonical form of the other four fields."""
    with path.open("rb") as file:
        for line in file:
            record = json.loads(line)
            del record["hash"]
            text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            hashlib.sha256(text.encode("utf-8")).hexdigest()


def verify(path: Path) -> None:
    report = verify_file(path)
    if not report.ok:
        raise SystemExit(f"the file that was to be timed has faults: {report.faults[:3]}")


def seconds(work: Callable[[Path], None], path: Path) -> float:
    start = time.perf_counter()
    work(path)
    return time.perf_counter() - start


def compare(folder: Path, name: str, records: int, rounds: int) -> float:
    """Print the three times; returns the median ratio of verifying to parsing and hashing alone."""
    path = folder / "speed.jsonl"
    write(path, WORKLOADS[name], records)
    times = [[seconds(work, path) for work in (floor, by_the_book, verify)] for _ in range(rounds)]
    print(f"{name}: {records} records of {path.stat().st_size / records:.0f} bytes, best of {rounds}")
    for column, what in enumerate(("parse, hash the line", "parse, hash as defined", "verify_file")):
        print(f"    {what:24} {min(row[column] for row in times):7.2f} s")
    for column, what in enumerate(("parsing and hashing", "parsing and hashing as defined")):
        ratios = [row[2] / row[column] for row in times]
        print(
            f"    verify_file is {statistics.median(ratios):.2f} times {what} ({min(ratios):.2f} to {max(ratios):.2f})",
            flush=True,
        )
    return statistics.median(row[2] / row[0] for row in times)


def verify_ratios(folder: Path, records: int, rounds: int) -> dict[str, float]:
    """For each workload how many times longer verifying takes than parsing and hashing alone.

    records: of the short ones; of the long ones a tenth.
    """
    counts = dict(zip(WORKLOADS, (records, records // 10), strict=True))
    return {name: round(compare(folder, name, count, rounds), 2) for name, count in counts.items()}


def appending(folder: Path, records: int) -> None:
    path = folder / "append.jsonl"
    payload = WORKLOADS["a tool record"]
    write(path, payload, records)
    for start, where in ((folder / "new.jsonl", "an empty file"), (path, f"a file of {records} records")):
        begun = time.perf_counter()
        writer = TranscriptWriter(start)
        opened = time.perf_counter()
        for n in range(5000):
            writer.append("tool", payload(n))
        done = time.perf_counter()
        writer.close()
        each = (done - opened) / 5000 * 1e6
        print(f"appending to {where}: open {(opened - begun) * 1e3:.2f} ms, {each:.0f} µs a record")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        verify_ratios(Path(folder), options.records, options.rounds)
        appending(Path(folder), options.records)


if __name__ == "__main__":
    main()
