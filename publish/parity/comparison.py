"""The comparison as a whole: judges every attempt on both sides, and writes docs/browser-verdicts.md."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from grader.authoring.source import ROOT
from publish import pieces
from publish.parity import seats, table
from publish.parity.answers import Attempt, attempts
from publish.parity.compare import Difference, by_chance, cases, differences
from publish.parity.seats import Seat

TABLE = ROOT / "docs" / "browser-verdicts.md"
PACKAGES = ROOT / "build" / "parity" / "packages.zip"
WORKERS = os.cpu_count() or 1
MOST_DESKTOPS = 12  # processes in which a difference is looked for on the desktop itself

Progress = Callable[[str], None]


class ParityError(RuntimeError):
    """The two sides do not agree, or cannot be compared."""


@dataclass
class Compared:
    """What came of one attempt. chance: what differs between two desktops too, and was left out of `differences`."""

    attempt: Attempt
    cases: int
    differences: list[Difference] = field(default_factory=list)
    chance: list[Difference] = field(default_factory=list)


def run(
    sessions: Sequence[str] | None = None,
    wrong: int | None = None,
    out: Path | None = TABLE,
    progress: Progress = print,
    workers: int = WORKERS,
) -> list[Compared]:
    """Compare the verdicts of Pyodide with those of this Python, on the answers of `sessions` (None: all).

    wrong: so many wrong answers of each exercise at most, without odd ones; None: all of both. out: the table to
    write, or None; only a whole run writes one. workers: pairs of processes at a time. Raises ParityError where a
    verdict differs, after the table is written.
    """
    wanted = attempts(sessions, wrong)
    pyodide, packages = pieces.fetch(["pyodide"]) / "pyodide", seats.pack(PACKAGES)
    pairs = [(seats.desktop(), seats.browser(pyodide, packages)) for _ in range(workers)]
    free: SimpleQueue[tuple[Seat, Seat]] = SimpleQueue()
    for pair in pairs:
        free.put(pair)
    versions: dict[str, str] = {}

    def judged(attempt: Attempt) -> Compared:
        pair = free.get()
        try:
            return compare(attempt, *pair, versions)
        finally:
            free.put(pair)

    compared = []
    with ThreadPoolExecutor(workers) as pool:
        try:
            for number, one in enumerate(pool.map(judged, wanted), 1):
                compared.append(one)
                _tell(one, number, len(wanted), progress)
        finally:
            pool.shutdown(cancel_futures=True)
            for pair in pairs:
                for seat in pair:
                    seat.close()
    if out is not None and sessions is None and wrong is None:
        out.write_text(table.page(compared, versions), encoding="utf-8", newline="\n")
        progress(f"written: {out.relative_to(ROOT)}")
    differ = [one.attempt for one in compared if one.differences]
    if differ:
        raise ParityError(f"the browser's verdict differs on {len(differ)} answers: {', '.join(map(str, differ[:10]))}")
    return compared


def _tell(one: Compared, number: int, total: int, progress: Progress) -> None:
    for difference in one.differences:
        progress(f"{one.attempt}  {difference.case}  {difference.field}")
        progress(f"    desktop  {difference.desktop}\n    browser  {difference.browser}")
    if number % 100 == 0 or number == total:
        progress(f"{number} of {total} answers compared")


def compare(attempt: Attempt, desktop: Seat, browser: Seat, versions: dict[str, str]) -> Compared:
    """Judge one attempt on both sides. versions: filled with the Python of each side, as it calls itself."""
    line = attempt.to_line()
    here, there = desktop.ask(line), browser.ask(line)
    found = differences(here, there)
    if found:  # a machine that is busy may have let one of them run into its time limit: once more
        here, there = desktop.ask(line), browser.ask(line)
        found = differences(here, there)
    for side, reply in (("desktop", here), ("browser", there)):
        versions.setdefault(side, reply.get("python", ""))
    chance = by_chance(found, _desktops(line))
    return Compared(attempt, cases(here), [one for one in found if one not in chance], chance)


def _desktops(line: str) -> Iterator[dict[str, Any]]:
    """The reply to one attempt of one process of the desktop after the other, each with another order of its sets."""
    for hash_seed in range(1, MOST_DESKTOPS + 1):
        seat = seats.desktop(hash_seed)
        try:
            yield seat.ask(line)
        finally:
            seat.close()
