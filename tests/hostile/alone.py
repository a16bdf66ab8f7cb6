"""Runs a command and says which of its processes outlived it: `python -m tests.hostile.alone REPORT COMMAND …`.

It adopts every descendant whose parent has ended, so nothing that the command started, in whatever session or process
namespace, can hide from it. Only processes that it started are ever signalled.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from grader.sandbox.confine import adopt_orphans

_PATIENCE = 15.0  # seconds in which what was told to end may end


def _children() -> list[int]:
    text = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="ascii")
    return [int(pid) for pid in text.split()]


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:200]
    except OSError:
        return "?"


def main() -> None:
    """Run the command, wait for what it left, and write the command lines of what stays to REPORT, as JSON."""
    adopt_orphans()
    report, command = Path(sys.argv[1]), sys.argv[2:]
    started = subprocess.Popen(command)
    report.with_suffix(".pid").write_text(str(started.pid), encoding="ascii")  # for who wants to kill it
    code = started.wait()
    until = time.monotonic() + _PATIENCE
    while _children() and time.monotonic() < until:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == 0:
            time.sleep(0.02)
    report.write_text(json.dumps({"code": code, "left": [_name(pid) for pid in _children()]}), encoding="utf-8")
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
