"""Any notebook file that people hand in: read as it was meant, or refused with one sentence."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from papers import notebook

from grader.classroom import notebook_file
from grader.classroom.notebook_file import Cell, UnreadableError, cells_of, read_notebook

TEXT = json.dumps(notebook("x = 'ä 李雷 🙂'", ("markdown", "# title")), ensure_ascii=False)
CELLS = [Cell(1, "code", "x = 'ä 李雷 🙂'"), Cell(2, "markdown", "# title")]


def read(path: Path, content: bytes) -> list[Cell]:
    path.write_bytes(content)
    found, cells = read_notebook(path)
    assert found == content
    return cells


# ---- encodings
@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        json.dumps(json.loads(TEXT), indent=1).replace("\n", "\r\n").encode(),
        b"\n\n  " + TEXT.encode() + b"\n\n",
    ],
    ids=["utf-8", "with a BOM", "utf-16", "utf-16-le", "utf-16-be", "utf-16-be with a BOM", "CRLF", "blank lines"],
)
def test_a_file_is_read_in_whatever_encoding_it_was_saved(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path / "x.ipynb", content) == CELLS


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_lines_of_a_cell_end_with_a_newline_whatever_wrote_them(end: str) -> None:
    assert cells_of(notebook(f"a = 1{end}b = 2"))[0].source == "a = 1\nb = 2"


# ---- odd but good
ODD: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no cell ids": lambda book: [cell.pop("id") for cell in book["cells"]],
    "equal cell ids": lambda book: [cell.update(id="same") for cell in book["cells"]],
    "no metadata": lambda book: [book.pop("metadata"), *(cell.pop("metadata") for cell in book["cells"])],
    "metadata of another kind": lambda book: book.update(metadata=[1]),
    "unknown keys": lambda book: [book.update(extra={"a": 1}), *(cell.update(more=1) for cell in book["cells"])],
    "widget state without state": lambda book: book["metadata"].update(
        widgets={"application/vnd.jupyter.widget-state+json": {"version_major": 2}}
    ),
    "a kernel that is not here": lambda book: book["metadata"].update(
        kernelspec={"name": "conda-env-x", "display_name": "x", "language": "python"}
    ),
    "a kernel without a language": lambda book: book["metadata"].update(kernelspec={"name": "r-or-so"}),
    "a language without a name": lambda book: book["metadata"].update(language_info={"version": "3"}),
    "an odd language": lambda book: book["metadata"].update(language_info={"name": "IPython"}),
    "broken outputs": lambda book: [cell.update(outputs="?", execution_count=[]) for cell in book["cells"]],
    "no format version": lambda book: [book.pop("nbformat"), book.pop("nbformat_minor")],
    "something between the cells": lambda book: book["cells"].append(5),
    "source in lines": lambda book: [cell.update(source=[cell["source"]]) for cell in book["cells"]],
}


@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_what_is_odd_around_the_cells_does_not_matter(change: Callable[[dict[str, Any]], Any]) -> None:
    book = json.loads(TEXT)
    change(book)
    assert cells_of(book) == CELLS


def test_a_notebook_of_format_three_is_read() -> None:
    cells = [{"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"}, {"cell_type": "heading"}]
    assert cells_of({"nbformat": 3, "worksheets": [{"cells": cells}, {"cells": []}, 5]}) == [
        Cell(1, "code", "x = 1\ny = 2"),
        Cell(2, "heading", ""),
    ]


@pytest.mark.parametrize("source", [None, 5, {}, [1, "x = 1"]])
def test_a_source_of_another_kind_is_no_text(source: object) -> None:
    cells = cells_of({"cells": [{"cell_type": "code", "source": source}]})
    assert cells == [Cell(1, "code", "x = 1" if isinstance(source, list) else "")]


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    assert cells_of(json.loads('{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}]}')) == [
        Cell(1, "code", "x = '?'")
    ]


# ---- refused
BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\t ", "the file is empty"),
    "truncated": (TEXT.encode()[:40], "its JSON breaks off or is wrong at line 1"),
    "a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "it is no text in UTF-8 or UTF-16"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "it is no text in UTF-8 or UTF-16"),
    "text": (b"def f():\n    pass", "its JSON breaks off or is wrong at line 1"),
    "half of UTF-16": (TEXT.encode("utf-16")[:61], "it is no text in UTF-8 or UTF-16"),
    "a JSON bomb": (b"[" * 500_000, "its JSON is nested too deeply to be a notebook"),
    "a bomb inside": (b'{"cells": ' + b'{"a":' * 500_000, "its JSON is nested too deeply to be a notebook"),
    "an endless number": (b'{"cells": ' + b"1" * 10_000 + b"}", "it is no notebook: "),
    "a list": (b"[1, 2]", "a notebook is an object with cells"),
    "a null": (b"null", "a notebook is an object with cells"),
    "no cells": (b'{"metadata": {}}', "there is no list of cells"),
    "cells that are none": (b'{"cells": {"a": 1}}', "there is no list of cells"),
    "R": (json.dumps(notebook("x <- 1", language_info={"name": "R"})).encode(), "it is written in R, and"),
    "Julia": (
        json.dumps(notebook("x", kernelspec={"language": "julia" * 99})).encode(),
        "it is written in " + ("julia" * 99)[:40] + ", and this course is in Python",
    ),
}


@pytest.mark.parametrize(("content", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_notebook_is_refused_with_one_sentence(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "x.ipynb").write_bytes(content)
    with pytest.raises(UnreadableError) as refused:
        read_notebook(tmp_path / "x.ipynb")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


def test_the_size_of_a_file_is_looked_at_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.ipynb"
    with path.open("wb") as file:
        file.truncate(2 << 30)  # two GiB of nothing, which take no room on the disk
    monkeypatch.setattr(Path, "read_bytes", lambda _path: pytest.fail("it was read"))
    with pytest.raises(UnreadableError, match="it has 2,048 MiB; the most that is read is 10 MiB"):
        read_notebook(path)


def test_the_largest_file_is_read_and_one_byte_more_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_file, "MAX_BYTES", len(TEXT.encode()))
    assert read(tmp_path / "x.ipynb", TEXT.encode()) == CELLS
    with pytest.raises(UnreadableError, match="the most that is read"):
        read(tmp_path / "x.ipynb", TEXT.encode() + b" ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    for name, reason in (("pipe", "no regular file"), ("link", "links are not followed"), ("folder", "no regular")):
        with pytest.raises(UnreadableError, match=reason):
            read_notebook(tmp_path / f"{name}.ipynb")


def test_a_file_that_is_gone_is_refused_like_any_other(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="it is no regular file"):
        read_notebook(tmp_path / "x.ipynb")
