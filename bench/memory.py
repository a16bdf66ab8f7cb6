"""The peak memory of a process and all that it started, sampled while it runs."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_EVERY = 0.2  # seconds


class PeakMemory:
    """`with PeakMemory(pid) as peak:` follows the process; afterwards `peak.mib` is the largest sum that was seen.

    Pages that several processes share are counted once where the kernel tells (PSS), and in each of them where it does
    not (RSS, for processes of another user).
    """

    def __init__(self, pid: int) -> None:
        self.mib = 0.0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(_EVERY):
            self.mib = max(self.mib, sum(map(_kib, _tree(self._pid))) / 1024)


def _tree(pid: int) -> list[int]:
    """The process and its descendants, as far as they are still there."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for listed in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                waiting += map(int, listed.read_text(encoding="ascii").split())
            except OSError:
                continue
    return found


def _kib(pid: int) -> int:
    for file, field in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        try:
            lines = Path(f"/proc/{pid}/{file}").read_text(encoding="utf-8").splitlines()
        except OSError:
            continue
        for line in lines:
            if line.startswith(field):
                return int(line.split()[1])
    return 0
