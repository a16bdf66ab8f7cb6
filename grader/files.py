"""Writing and reading files the same way everywhere: UTF-8, `\\n`, and never half-written."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO


def replace_file(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: a reader sees the old file or the new one."""
    with replacing(path) as file:
        file.write(text)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A file to write to, which becomes `path` when all is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="\n", errors="replace") as file:
        yield file
    os.replace(beside, path)  # noqa: PTH105 - atomic on every system


def json_lines_from(path: Path, offset: int) -> Iterator[tuple[Any, int, int]]:
    """The value of each whole line from a byte offset on, with the offsets where the line begins and ends.

    A last line that a killed process tore is left out.
    """
    with path.open("rb") as file:
        file.seek(offset)
        for line in file:
            if line.endswith(b"\n"):
                yield json.loads(line), offset, offset + len(line)
                offset += len(line)
