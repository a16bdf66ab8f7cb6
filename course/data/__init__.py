"""The documents and the exchange rates that the course's tools read, and the JSON files that hold them.

The files lie beside this one and are read through importlib.resources, so a wheel and Pyodide find them too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True)
class Document:
    """One text of the corpus: `id` is its name in every result, `tags` are matched whole."""

    id: str
    title: str
    tags: tuple[str, ...]
    text: str


def load(name: str) -> Any:
    """Return the parsed content of `course/data/<name>.json`, a fresh value on every call."""
    return json.loads(files("course").joinpath("data", f"{name}.json").read_text(encoding="utf-8"))


DOCUMENTS: tuple[Document, ...] = tuple(
    Document(entry["id"], entry["title"], tuple(entry["tags"]), entry["text"]) for entry in load("documents")
)

# Units of a currency that one US dollar buys. They are strings in the file, because a JSON number would become a float.
RATES: Mapping[str, Decimal] = MappingProxyType({code: Decimal(rate) for code, rate in load("rates").items()})


def write_documents(folder: Path) -> list[str]:
    """Write each document as `<id>.txt` into `folder` (which must exist) and return the file names, sorted.

    `file_read` needs files on a disk, and inside a wheel or a browser the corpus may not be one.
    """
    for document in DOCUMENTS:
        with (folder / f"{document.id}.txt").open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{document.title}\n\n{document.text}\n")
    return sorted(f"{document.id}.txt" for document in DOCUMENTS)
