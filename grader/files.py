"""Writing and reading files the same way everywhere: UTF-8, `\\n`, and never half-written."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def replace_file(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="\n", errors="replace") as file:
        file.write(text)
    os.replace(beside, path)  # noqa: PTH105 - atomic on every system


def read_json_lines(path: Path) -> Iterator[Any]:
    """The value of each whole line; a last line that a killed process tore is left out."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)
