"""The processes that judge: CPython as on a desktop, and Pyodide under node. A line of JSON in, a line of JSON out."""

import json
import os
import queue
import subprocess
import sys
import threading
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.authoring.source import ROOT

SEAT = Path(__file__).with_name("seat.mjs")
INSIDE = Path(__file__).with_name("inside.py")
SECONDS = 120  # after which a seat that has not answered is ended
STACK = 500  # KB: half of what node has by itself, and less than a notebook's Python has in Chromium


class SeatError(RuntimeError):
    """A seat that cannot be taken at all: the sentence says what is missing."""


class Seat:
    """One process that judges. It is started when it is first asked, and again where an answer has ended it.

    command: with its arguments; environment: added to this one's. ended: how often an answer has ended it.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = list(command)
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[str] | None = None
        self.ended = 0

    def ask(self, line: str) -> dict[str, Any]:
        """The reply to one attempt: {"python", "verdict"}, or with "trouble" in place of a verdict.

        Raises SeatError where the process does not even start.
        """
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return self._lost("the interpreter was at its end before the answer came to it")
        said = self._line(process)
        if said is None:
            return self._lost(f"the interpreter ended, or did not answer within {SECONDS} s")
        reply: dict[str, Any] = json.loads(said)
        return reply

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                assert stream is not None
                stream.close()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        try:
            self._process = process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                encoding="utf-8", env=self._environment, cwd=ROOT,
            )  # fmt: skip
        except FileNotFoundError:
            raise SeatError(f"{self._command[0]} is not installed, and it is what judges here") from None
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_pass_on, args=(process, self._lines), daemon=True).start()
        if self._line(process) is None:
            self.close()
            raise SeatError(f"this did not start, run it by hand to see why: {' '.join(self._command)}")
        return process

    def _line(self, process: subprocess.Popen[str]) -> str | None:
        try:
            return self._lines.get(timeout=SECONDS) or None
        except queue.Empty:
            return None

    def _lost(self, how: str) -> dict[str, Any]:
        self.close()
        self.ended += 1
        return {"trouble": how}


def _pass_on(process: subprocess.Popen[str], lines: "queue.Queue[str]") -> None:
    """Lines of a process, in a thread of its own, so that waiting for one can end; "" at the end."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def desktop(hash_seed: int = 0, python: str = sys.executable) -> Seat:
    """A seat of CPython. hash_seed: of its `hash`, which orders its sets; python: the interpreter."""
    return Seat(
        [python, "-c", "from inside import serve\nserve()"],
        {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join([str(ROOT), str(INSIDE.parent)])},
    )


def browser(pyodide: Path, packages: Path) -> Seat:
    """A seat of Pyodide. pyodide: the folder of the npm package; packages: what `pack` has written."""
    return Seat(["node", f"--stack-size={STACK}", str(SEAT), str(pyodide), str(packages)], {})


def pack(out: Path) -> Path:
    """Write `course`, `grader` and what judges into a zip, which Pyodide unpacks; returns its path."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in ("course", "grader"):
            for path in sorted((ROOT / package).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(ROOT).as_posix())
        archive.write(INSIDE, INSIDE.name)
    return out
