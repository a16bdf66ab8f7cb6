"""Cells that end the worker which unpickles them: what a defect of the grader, or of the machine, looks like."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Dies:
    """Ends the process that receives it, the first `times` times; afterwards it is the text `source`."""

    counter: Path
    times: int
    source: str

    def __reduce__(self) -> Any:
        return _arrive, (self.counter, self.times, self.source)


def _arrive(counter: Path, times: int, source: str) -> str:
    before = len(counter.read_text(encoding="utf-8")) if counter.exists() else 0
    if before >= times:
        return source
    counter.write_text("x" * (before + 1), encoding="utf-8")
    os._exit(9)
