"""Is the memory of the grader flat from 10 to 5,000 submissions? Prints what parent and workers took; `make soak`.

python -m tests.soak [10 100 1000 5000]
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.source import ROOT
from tests.hostile.cases import as_file, notebook

_SIZES = (10, 100, 1000, 5000)
_FLAT_MIB = 24  # more than this between the smallest class and the largest is growth
_EVERY = 0.25  # seconds


@dataclass
class Peak:
    """The largest resident memory in MiB: of the grader's own process, and of its largest worker."""

    parent: float = 0.0
    worker: float = 0.0


def measure(count: int, place: Path) -> tuple[Peak, float]:
    """Grade a class of `count` solved notebooks of session 5; returns the peaks and the seconds that it took."""
    for number in range(count):
        folder = place / "class" / f"{number:05}"
        folder.mkdir(parents=True)
        made = notebook()
        made["metadata"]["number"] = number  # so that no two have one digest
        (folder / "ch05.ipynb").write_bytes(as_file(made))
    command = [sys.executable, "-m", "grader", "grade", str(place / "class"), "--out", str(place / "out")]
    started, peak = time.monotonic(), Peak()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as grading:
        while grading.poll() is None:
            peak.parent = max(peak.parent, _resident(grading.pid))
            peak.worker = max([peak.worker, *(_resident(pid) for pid in _children(grading.pid))])
            time.sleep(_EVERY)
    if grading.returncode != 0:
        sys.exit(f"soak: grade ended with {grading.returncode} for {count} submissions")
    return peak, time.monotonic() - started


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def _resident(pid: int) -> float:
    """MiB, or 0 for a process that has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Print one line a size, and leave with 1 where memory grows with the class."""
    peaks = []
    for count in [int(one) for one in sys.argv[1:]] or _SIZES:
        with tempfile.TemporaryDirectory() as place:
            peak, seconds = measure(count, Path(place))
        peaks.append(peak)
        pace = f"{seconds:.0f} s, {1000 * seconds / count:.0f} ms each"
        print(
            f"{count:>6} submissions: grader {peak.parent:.0f} MiB, worker {peak.worker:.0f} MiB ({pace})", flush=True
        )
    grown = max(peaks[-1].parent - peaks[0].parent, peaks[-1].worker - peaks[0].worker)
    flat = grown <= _FLAT_MIB
    print(f"{'flat' if flat else 'NOT flat'}: {grown:+.0f} MiB from the first to the last, at most {_FLAT_MIB} allowed")
    sys.exit(0 if flat else 1)


if __name__ == "__main__":
    main()
