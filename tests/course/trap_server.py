"""A server of tools that misbehave, for the tests to start as a process: they print, break, refuse, exit and hang."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from sys import stdout as held  # a tool's own hold on stdout, taken before anything is redirected
from typing import Any

from course.errors import ToolError
from course.mcp_server import serve_and_exit
from course.tools import Tool, ToolRegistry

NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
LOUD = "NOISE that is no JSON\n"


def prints() -> str:
    print(LOUD)
    print(LOUD, file=held, flush=True)
    held.write(LOUD)  # left in a buffer on purpose
    sys.__stdout__.write(LOUD)  # type: ignore[union-attr]
    os.write(1, LOUD.encode())
    subprocess.run([sys.executable, "-c", f"print({LOUD!r})"], check=True)
    if sys.platform == "linux":
        ctypes.CDLL(None).puts(LOUD.encode())
    print("PLAIN, and never flushed")
    return "printed"


def breaks() -> str:
    secret = "sk-planted-secret"
    raise KeyError(secret)


def refuses() -> str:
    raise ToolError("refuses", "not today", ["tomorrow"])


def leaves() -> str:
    sys.exit(3)


def hangs() -> str:
    time.sleep(3600)
    return "never"


def unrecordable() -> Any:
    return {"n": float("nan")}


def structured() -> Any:
    return {"text": "Übung", "n": 1.0, "list": [1, None, True]}


TRAPS = ToolRegistry(
    [
        Tool(fn.__name__, f"It {fn.__name__}.", NOTHING, fn)
        for fn in (prints, breaks, refuses, leaves, hangs, unrecordable, structured)
    ]
)

if __name__ == "__main__":
    serve_and_exit(TRAPS, timeout=float(sys.argv[1]))
