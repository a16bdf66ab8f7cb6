"""What a measurement was taken on: the machine and the versions, without a name or a path of it."""

import os
import platform
import re
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from bench.arms import RIVALS
from grader.sandbox import walls

_PINS = Path(__file__).resolve().parent / "rivals"


def description() -> dict[str, Any]:
    """Cores that may be used, the processor's own name, memory, kernel."""
    memory = re.search(r"MemTotal:\s+(\d+) kB", _read("/proc/meminfo"))
    model = re.search(r"model name\s*:\s*(.+)", _read("/proc/cpuinfo"))
    return {
        "cores": cores(),
        "processor": model[1].strip() if model else platform.machine(),
        "memory_gib": round(int(memory[1]) / 2**20, 1) if memory else None,
        "system": f"{platform.system()} {platform.release()}",
        "root": hasattr(os, "getuid") and os.getuid() == 0,
    }


def cores() -> int:
    """How many may be used."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def versions() -> dict[str, str]:
    """Of Python, bubblewrap and the rivals that are installed."""
    optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    found = {"python": platform.python_version() + (" (optimised build)" if optimised else " (plain build)")}
    try:
        done = subprocess.run([walls.bwrap_path(), "--version"], capture_output=True, text=True, check=False)
        found["bubblewrap"] = done.stdout.strip().rpartition(" ")[2]
    except walls.IsolationUnavailable:
        pass
    for name, package in (("nbgrader", "nbgrader"), ("otter", "otter-grader")):
        pinned = re.search(rf"^{package}==(\S+)$", _read(str(_PINS / f"{name}.txt")), re.MULTILINE)
        if pinned and (RIVALS / name / "bin" / name).exists():
            found[package] = pinned[1]
    return found


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
