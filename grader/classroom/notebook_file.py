"""Reads any notebook file that people hand in: odd encodings, old formats, broken metadata, or a clear refusal."""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_BYTES = 10 * 2**20
_PYTHON = ("python", "ipython", "xpython", "pyodide")


class UnreadableError(Exception):
    """The file cannot be graded; the text says why in one sentence."""


@dataclass(frozen=True)
class Cell:
    """One cell: `kind` is code, markdown or raw; `number` counts all cells of the notebook from 1."""

    number: int
    kind: str
    source: str


def read_notebook(path: Path) -> tuple[bytes, list[Cell]]:
    """The bytes of a notebook file and its cells. Raises `UnreadableError`."""
    content = _read_bytes(path)
    return content, cells_of(_parse(_decode(content)))


def cells_of(notebook: Any) -> list[Cell]:
    """The cells of a parsed notebook of any format version. Raises `UnreadableError`."""
    if not isinstance(notebook, dict):
        raise UnreadableError("it is JSON, but no notebook: a notebook is an object with cells")
    _refuse_other_languages(notebook.get("metadata"))
    raw = list(_raw_cells(notebook))
    return [
        Cell(number, str(cell.get("cell_type", "raw")), _source(cell))
        for number, cell in enumerate(raw, 1)
        if isinstance(cell, dict)
    ]


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_symlink():
            raise UnreadableError("it is a symbolic link, and links are not followed")
        if not path.is_file():
            raise UnreadableError("it is no regular file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableError(f"it has {size / 2**20:,.0f} MiB; the most that is read is {MAX_BYTES >> 20} MiB")
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableError(f"it cannot be read: {error.strerror}") from None
    if not content.strip():
        raise UnreadableError("the file is empty")
    return content


def _decode(content: bytes) -> str:
    """UTF-8 with or without a byte order mark, or UTF-16 as Windows editors save it."""
    encoding = "utf-8-sig"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif content[1:2] == b"\0":
        encoding = "utf-16-le"
    elif content[:1] == b"\0":
        encoding = "utf-16-be"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"it is no text in UTF-8 or UTF-16 (byte {error.start})") from None


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise UnreadableError("its JSON is nested too deeply to be a notebook") from None
    except json.JSONDecodeError as error:
        raise UnreadableError(f"it is no notebook: its JSON breaks off or is wrong at line {error.lineno}") from None
    except ValueError as error:
        raise UnreadableError(f"it is no notebook: {error}") from None


def _raw_cells(notebook: dict[str, Any]) -> Iterator[Any]:
    cells, sheets = notebook.get("cells"), notebook.get("worksheets")
    if isinstance(cells, list):
        yield from cells
    elif isinstance(sheets, list):  # nbformat 3
        for sheet in sheets:
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list):
                yield from sheet["cells"]
    else:
        raise UnreadableError("it is JSON, but no notebook: there is no list of cells")


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return ""
    # Half a surrogate pair is no text that Python compiles, and old Macs end lines with \r.
    source = source.encode("utf-8", "replace").decode("utf-8")
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_other_languages(metadata: Any) -> None:
    if not isinstance(metadata, dict):
        return
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(key)
        language = part.get(name) if isinstance(part, dict) else None
        if isinstance(language, str) and language.strip():
            if language.strip().lower().startswith(_PYTHON):
                return
            raise UnreadableError(f"it is written in {language.strip()[:40]}, and this course is in Python")
