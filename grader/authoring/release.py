"""Makes the notebooks that students open: `solutions/chNN.py` -> `notebooks/chNN-<title>.ipynb`.

The same source gives the same bytes on every machine: no outputs, stable cell ids, sorted keys. Answer and check cells
carry the metadata that nbgrader writes, so that an nbgrader course can take the notebook over; our own grading reads
none of it.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from grader.authoring.source import ROOT, SOLUTIONS, Cell, Source, SourceError, sources, student_cell
from grader.checks import exercise as find_exercise
from grader.engine.exercise import Exercise

NOTEBOOKS = ROOT / "notebooks"

_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},  # without it JupyterLite asks the reader for a kernel
}
# A picture stands in the source as `![what it shows](pictures/ch05-loop.svg)` and in the notebook as data: JupyterLab
# strips an inline <svg>, and a path would break as soon as the notebook is moved.
_PICTURE = re.compile(r"!\[([^\]]*)\]\((pictures/[\w.-]+\.svg)\)")
_HELP = """\
Stuck? `hint("{id}")` in a new cell gives one hint at a time. Once the check has passed, `solution("{id}")`
shows ours; `solution("{id}", give_up=True)` shows it before."""


class Drift(Exception):
    """`notebooks/` is not what `solutions/` makes. `files` are the names of those that differ."""

    def __init__(self, files: list[str]) -> None:
        super().__init__(f"not what solutions/ makes: {', '.join(files)}; run `python -m grader release`")
        self.files = files


def release(check: bool = False, folder: Path = SOLUTIONS, out: Path = NOTEBOOKS) -> list[Path]:
    """Write the student notebook of every source in `folder` into `out`, and return the paths.

    With check=True nothing is written: raises `Drift`, naming notebooks that are missing, differ or have no source.
    """
    made = {out / f"{slug(source)}.ipynb": as_text(student(source)) for source in sources(folder)}
    if check:
        here = set(out.glob("*.ipynb"))
        changed = {path for path in made.keys() & here if path.read_bytes() != made[path].encode("utf-8")}
        wrong = sorted(path.name for path in changed | (made.keys() ^ here))
        if wrong:
            raise Drift(wrong)
    else:
        out.mkdir(parents=True, exist_ok=True)
        for path, text in made.items():
            path.write_bytes(text.encode("utf-8"))
    return sorted(made)


def student(source: Source) -> NotebookNode:
    """The notebook that a student opens: a stub in place of each solution."""
    return _notebook(source, lambda cell: student_cell(cell, _exercise(source, cell).title))


def solved(source: Source) -> NotebookNode:
    """The same notebook with the course's solutions in place: what the tests run."""
    return _notebook(source, lambda cell: cell.solved)


def slug(source: Source) -> str:
    """The name of a session's notebook, without its ending: `ch05-deterministic-mini-agent`."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"^(a|an|the) ", "", source.title.lower()))
    if not words:
        raise SourceError(
            f"{source.path.name}: the first cell needs a heading, such as `# 5 · A deterministic mini-agent`"
        )
    return "-".join([source.session_id, *words])


def as_text(notebook: NotebookNode) -> str:
    """The notebook as the text of its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _notebook(source: Source, answer_text: Callable[[Cell], str]) -> NotebookNode:
    cells: list[NotebookNode] = []
    grade_ids: list[str] = []
    for cell in source.cells:
        text = answer_text(cell) if "answer" in cell.tags else _with_pictures(source, cell)
        grade_id = _grade_id(cell, grade_ids)
        metadata: dict[str, Any] = {"tags": list(cell.tags)} if cell.tags else {}
        if grade_id:
            grade_ids.append(grade_id)
            metadata["nbgrader"] = _nbgrader(cell, text, grade_id, _exercise(source, cell))
        cells.append(_made(cell.kind, text, grade_id or _position_id(source, cells), metadata))
        if "check" in cell.tags:
            cells.append(_made("markdown", _HELP.format(id=cell.exercise), _position_id(source, cells), {}))
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=_METADATA)
    notebook.nbformat_minor = 5
    nbformat.validate(notebook)
    return notebook


def _with_pictures(source: Source, cell: Cell) -> str:
    """A Markdown cell's text with each picture that it names put into it."""

    def inline(found: re.Match[str]) -> str:
        path = source.path.parent / found[2]
        if not found[1] or not path.exists():
            problem = "has no text in its brackets for those who cannot see it" if path.exists() else "does not exist"
            raise SourceError(f"{source.path.name}, cell {cell.number}: the picture {found[2]} {problem}")
        data = base64.b64encode(path.read_text(encoding="utf-8").encode("utf-8")).decode("ascii")
        return f'<img alt="{escape(found[1])}" src="data:image/svg+xml;base64,{data}">'

    return _PICTURE.sub(inline, cell.text) if cell.kind == "markdown" else cell.text


def _made(kind: str, text: str, cell_id: str, metadata: dict[str, Any]) -> NotebookNode:
    new = nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell
    return new(text, id=cell_id, metadata=metadata)


def _position_id(source: Source, cells: list[NotebookNode]) -> str:
    return f"{source.session_id}-{len(cells) + 1:02d}"


def _grade_id(cell: Cell, taken: list[str]) -> str:
    """`ch05-e2` for an answer, `ch05-e2-check` for a check, numbered from the second on; "" for other cells."""
    if not {"answer", "check"} & set(cell.tags):
        return ""
    wanted = cell.exercise if "answer" in cell.tags else f"{cell.exercise}-check"
    same = sum(bool(re.fullmatch(rf"{wanted}(-\d+)?", grade_id)) for grade_id in taken)
    return f"{wanted}-{same + 1}" if same else wanted


def _nbgrader(cell: Cell, text: str, grade_id: str, exercise: Exercise) -> dict[str, Any]:
    """The metadata of nbgrader's schema 3: an answer is a solution cell, a check is a locked cell with points."""
    is_check = "check" in cell.tags
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "grade": is_check,
        "grade_id": grade_id,
        "locked": is_check,
        "schema_version": 3,
        "solution": not is_check,
        "task": False,
    }
    if is_check:
        made["points"] = exercise.points
    made["checksum"] = checksum(cell.kind, text, made)
    return made


def checksum(kind: str, text: str, metadata: dict[str, Any]) -> str:
    """What `nbgrader.utils.compute_checksum` gives for such a cell: nbgrader finds edited cells by it."""
    parts = [
        text,
        kind,
        str(metadata["grade"]),
        str(metadata["solution"]),
        str(metadata["locked"]),
        metadata["grade_id"],
    ]
    if metadata["grade"]:
        parts.append(str(float(metadata["points"])))
    return hashlib.md5("".join(parts).encode("utf-8"), usedforsecurity=False).hexdigest()


def _exercise(source: Source, cell: Cell) -> Exercise:
    try:
        return find_exercise(cell.exercise)
    except KeyError as error:
        raise SourceError(f"{source.path.name}, cell {cell.number}: {error.args[0]}") from None
