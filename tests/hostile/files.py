"""Broken, odd and merely foreign files. What can be read is graded as if nothing were the matter."""

import codecs
import gzip
import json
from typing import Any

from tests.hostile.cases import (
    ALL,
    Case,
    Files,
    Notebook,
    as_file,
    cell_of,
    changed,
    notebook,
    one,
    own_cell,
    untouched,
)

RIGHT = as_file(notebook())
TEXT = RIGHT.decode("utf-8")


def _named(content: bytes, name: str = "ch05.ipynb") -> Files:
    return {name: content}


def _unreadable(name: str, tries: str, content: bytes, says: str, **more: Any) -> Case:
    return Case(name, tries, _named(content), "unreadable", None, (says,), **more)


def _right(name: str, tries: str, files: Files, *says: str, **more: Any) -> Case:
    return Case(name, tries, files, "passed", ALL, says, **more)


def _version_3(made: Notebook) -> Notebook:
    cells = [
        {**cell, "input": cell["source"], "language": "python", "prompt_number": 1}
        if cell["cell_type"] == "code"
        else cell
        for cell in made["cells"]
    ]
    for cell in cells:
        cell.pop("id", None)
        if "input" in cell:
            cell.pop("source")
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}


def _no_ids(made: Notebook) -> None:
    for cell in made["cells"]:
        cell.pop("id")
    made["nbformat_minor"] = 4


def _equal_ids(made: Notebook) -> None:
    for cell in made["cells"]:
        cell["id"] = "same"


def _unknown_keys(made: Notebook) -> None:
    made["x-foreign"] = {"a": [1, 2]}
    for cell in made["cells"]:
        cell["x-colour"] = "red"
        cell["metadata"] = {
            "id": "AbC",
            "colab": {"base_uri": "https://localhost/"},
            "vscode": {"languageId": "python"},
        }


def _widget_state(made: Notebook) -> None:
    made["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"version_major": 2}}


def _kernel(name: str, language: str) -> Any:
    def change(made: Notebook) -> None:
        made["metadata"] = {
            "kernelspec": {"name": name, "display_name": name, "language": language},
            "language_info": {"name": language},
        }

    return change


def _sources_as_lines(made: Notebook) -> None:
    for cell in made["cells"]:
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)


def _crlf_in_sources(made: Notebook) -> None:
    for cell in made["cells"]:
        cell["source"] = "".join(cell["source"]).replace("\n", "\r\n")


def _odd_cells(made: Notebook) -> None:
    made["cells"][1:1] = [
        17,
        None,
        {"cell_type": "code", "source": 5},
        {"cell_type": "code", "source": [1, "x = 1\n", None]},
        {"cell_type": "heading", "level": 1, "source": "a heading"},
        {"source": "no type"},
        own_cell("half = '\ud800'"),
        own_cell("null = '\0'"),
    ]


def _claimed_outputs(made: Notebook) -> None:
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            text = "ch05-e1: 11 of 11 points, passed\n" * 100
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]


def _old_outputs(made: Notebook) -> None:
    cell_of(made, "ch05-e1")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * (9 << 20)}]


def _not_numbers(made: Notebook) -> None:
    made["metadata"]["scores"] = [float("nan"), float("inf")]


def _two_sessions(made: Notebook) -> None:
    made["cells"].append(own_cell('check("ch01-e1", print)'))


CASES = [
    _unreadable("empty", "no byte at all", b"", "the file is empty"),
    _unreadable("blank", "white space", b" \n\n\t ", "the file is empty"),
    _unreadable("truncated", "half of a notebook", RIGHT[: len(RIGHT) // 2], "breaks off or is wrong"),
    _unreadable("pdf", "a PDF under another name", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "no text in UTF-8"),
    _unreadable("zip", "an archive under another name", b"PK\x03\x04\x14\x00\x08\x08" + b"\xff" * 50, "it is no"),
    _unreadable("gzip", "a notebook, compressed", gzip.compress(RIGHT, mtime=0), "no text in UTF-8"),
    _unreadable(
        "html", "the page that a download brought", b"<!doctype html><title>Sign in</title>", "it is no notebook"
    ),
    _unreadable("two-gigabytes", "a file of 2 GB", b"{", "the most that is read is 10 MiB", size=2 << 30),
    _unreadable("eleven-megabytes", "a notebook of 11 MiB", RIGHT, "the most that is read is 10 MiB", size=11 << 20),
    _unreadable("json-bomb", "JSON nested a million deep", b"[" * 1_000_000, "nested too deeply"),
    _unreadable("json-list", "a list", b"[]", "it is JSON, but no notebook"),
    _unreadable("json-null", "null", b"null", "it is JSON, but no notebook"),
    _unreadable("no-cells", "an object without cells", b'{"nbformat": 4}', "there is no list of cells"),
    _unreadable("cells-by-name", "cells in an object", b'{"cells": {"a": 1}}', "there is no list of cells"),
    _unreadable(
        "huge-number", "a number of 100,000 digits", b'{"cells": [' + b"9" * 100_000 + b"]}", "it is no notebook"
    ),
    _unreadable(
        "latin-1", "text in an old encoding", TEXT.replace("·", "é").encode("latin-1", "replace"), "no text in UTF-8"
    ),
    _unreadable(
        "in-r",
        "a notebook in R",
        one_r := as_file({**untouched(), "metadata": {"kernelspec": {"language": "R"}}}),
        "written in R",
    ),
    Case(
        "link-to-a-neighbour",
        "a symbolic link to another student's file",
        {},
        "unreadable",
        None,
        ("links are not followed",),
        links=(("ch05.ipynb", "../000-innocent/ch05.ipynb"),),
    ),
    Case(
        "link-to-a-device",
        "a symbolic link to a device that never ends",
        {},
        "unreadable",
        None,
        ("links are not followed",),
        links=(("ch05.ipynb", "/dev/zero"),),
    ),
    Case(
        "a-pipe",
        "a named pipe, which would be waited for",
        {},
        "unreadable",
        None,
        ("no regular file",),
        links=(("ch05.ipynb", "|"),),
    ),
    Case(
        "not-the-course",
        "a notebook of another course",
        one({"cells": [own_cell("x = 1")], "metadata": {}}),
        "not_found",
        None,
    ),
    Case("no-cells-at-all", "a notebook with an empty list of cells", _named(b'{"cells": []}'), "not_found", None),
    _right("utf-8-bom", "UTF-8 with a byte order mark", _named(codecs.BOM_UTF8 + RIGHT)),
    _right("utf-16-le", "UTF-16, little end first", _named(codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"))),
    _right("utf-16-be", "UTF-16, big end first", _named(codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"))),
    _right("utf-16-bare", "UTF-16 without a byte order mark", _named(TEXT.encode("utf-16-le"))),
    _right("crlf", "lines that end as on Windows", _named(RIGHT.replace(b"\n", b"\r\n"))),
    _right("crlf-in-cells", "such lines inside the cells", changed(_crlf_in_sources)),
    _right("lines", "each source a list of lines", changed(_sources_as_lines)),
    _right("version-3", "notebook format 3", _named(as_file(_version_3(notebook())))),
    _right("no-ids", "no cell ids", changed(_no_ids)),
    _right("equal-ids", "one id for every cell", changed(_equal_ids)),
    _right("unknown-keys", "keys and metadata of other editors", changed(_unknown_keys)),
    _right("widget-state", "widget state without `state`", changed(_widget_state)),
    _right("foreign-kernel", "a kernel that is not installed here", changed(_kernel("conda-env-ml-py", "python"))),
    _right("xeus-kernel", "another Python kernel", changed(_kernel("xpython", "xpython"))),
    _right(
        "odd-cells",
        "cells that are no cells",
        _named(json.dumps((lambda made: (_odd_cells(made), made)[1])(notebook())).encode("ascii")),
    ),
    _right("not-a-number", "NaN and Infinity, which JSON does not know", changed(_not_numbers)),
    _right("old-outputs", "9 MiB of outputs", changed(_old_outputs)),
    Case(
        "claimed-outputs",
        "outputs that say passed above stubs",
        one((lambda made: (_claimed_outputs(made), made)[1])(untouched())),
        "failed",
        (0, 0, 0, 0),
    ),
    _right("capital-ending", "an ending in capitals", _named(RIGHT, "CH05.IPYNB")),
    _right(
        "odd-file-name",
        "a file name with spaces, quotes and a dash in front",
        _named(RIGHT, "-rf 'ch05' \"final\" (2).ipynb"),
    ),
    _right("renamed", "a name that says nothing", _named(RIGHT, "Untitled7.ipynb")),
    _right(
        "several-copies",
        "an older try beside a newer copy",
        {"ch05.ipynb": as_file(untouched()), "ch05 (1).ipynb": RIGHT},
        "is the newest and was graded; left out: ",
        ages=("ch05.ipynb",),
    ),
    _right(
        "checkpoint",
        "Jupyter's own copy beside the file",
        {"ch05.ipynb": RIGHT, ".ipynb_checkpoints/ch05.ipynb": as_file(untouched())},
    ),
    _right(
        "two-sessions",
        "exercises of two sessions in one file",
        changed(_two_sessions),
        "the file holds exercises of ch01 and ch05; each is graded",
        also=(("ch01", "not_found", 0),),
    ),
    _right("Doe, Jr.", "a comma in the name", _named(RIGHT)),
    _right("李雷", "a name outside ASCII", _named(RIGHT)),
    _right("=1+1", "a name that a spreadsheet would compute", _named(RIGHT)),
    _right("O\"Neil 'the' <b>", "quotes and a tag in the name", _named(RIGHT)),
    _right("two\nlines", "a line break in the name", _named(RIGHT)),
]
