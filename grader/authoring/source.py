"""Reads a session's source, `solutions/chNN.py`: cells with tags, exercises with their solution regions.

A source is a jupytext percent file. A code cell's tag says what it is for: `given` (the student runs it), `answer` (the
student writes it), `demo` (yours against expected), `check`. The last three name their exercise:

    # %% tags=["answer"] exercise="ch05-e2"

In an answer cell, what lies between `### BEGIN SOLUTION` and `### END SOLUTION` is the course's; a student sees a
`raise NotImplementedError` in its place. `### BEGIN SOLUTION: the fourth exit` gives the stub a line of its own.
"""

import io
import itertools
import linecache
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import jupytext

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = ROOT / "solutions"
TAGS = ("given", "answer", "demo", "check")
EXERCISE_TAGS = ("answer", "demo", "check")
NOTEBOOK_NAMES = ("check", "compare", "hint", "solution")

_BEGIN = re.compile(r"([ \t]*)### BEGIN SOLUTION(?::[ \t]*(.*\S))?[ \t]*")
_END = re.compile(r"[ \t]*### END SOLUTION[ \t]*")
_serial = itertools.count(1)


class SourceError(ValueError):
    """A session's source is not of the expected form: the sentence says which file, which cell, and what to write."""


@dataclass(frozen=True)
class Cell:
    """One cell of a source. kind: "markdown" or "code"; exercise: "chNN-eM" or ""; text: as it is in the source."""

    number: int
    kind: str
    text: str
    tags: tuple[str, ...] = ()
    exercise: str = ""

    @property
    def solved(self) -> str:
        """The text with the course's solution in it and without the markers."""
        lines = [line for line in self.text.splitlines() if not (_BEGIN.fullmatch(line) or _END.fullmatch(line))]
        return "\n".join(lines)


@dataclass(frozen=True)
class Source:
    """A session as its author wrote it."""

    session_id: str
    cells: tuple[Cell, ...]
    path: Path

    @property
    def title(self) -> str:
        """The first heading, without the number in front of it."""
        heading = next((line for cell in self.cells for line in cell.text.splitlines() if line.startswith("# ")), "")
        return re.sub(r"^#\s*(?:\d+\s*·\s*)?", "", heading).strip()

    @property
    def exercise_ids(self) -> list[str]:
        """The exercises that have an answer cell, in order."""
        return list(dict.fromkeys(cell.exercise for cell in self.cells if "answer" in cell.tags))

    def of(self, exercise_id: str, tag: str) -> list[Cell]:
        """The cells of one exercise that carry `tag`, in order."""
        return [cell for cell in self.cells if cell.exercise == exercise_id and tag in cell.tags]


def read_session(path: Path) -> Source:
    """Read `solutions/chNN.py`; raises `SourceError` where a tag, an exercise or a region is not as it must be."""
    session_id = path.stem
    if not re.fullmatch(r"ch\d\d", session_id):
        raise SourceError(f"{path.name}: a session's source is called chNN.py, such as ch05.py")
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    cells = []
    for number, cell in enumerate(notebook.cells, 1):
        tags, exercise = tuple(cell.metadata.get("tags", ())), cell.metadata.get("exercise", "")
        read = Cell(number, cell.cell_type, cell.source, tags, exercise)
        problem = _problem(read, session_id)
        if problem:
            first = next(iter(read.text.splitlines()), "")
            raise SourceError(f"{path.name}, cell {number} ({first[:60]!r}): {problem}")
        cells.append(read)
    return Source(session_id, tuple(cells), path)


def sources(folder: Path = SOLUTIONS) -> list[Source]:
    """Every session that has a source in `folder`, in the order of the course."""
    return [read_session(path) for path in sorted(folder.glob("ch[0-9][0-9].py"))]


def student_cell(cell: Cell, title: str) -> str:
    """The text of an answer cell as a student gets it: each solution region is a stub that names the exercise.

    title: what the stub says behind the exercise's id, unless the region gives a line of its own.
    """
    lines: list[str] = []
    inside = False
    for line in cell.text.splitlines():
        begin = _BEGIN.fullmatch(line)
        if begin:
            inside = True
            # A double quote inside would end the string that the student sees.
            says = f"{cell.exercise}: {begin[2] or title}".replace('"', "'")
            lines.append(f'{begin[1]}raise NotImplementedError("{says}")')
        elif _END.fullmatch(line):
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def cells_before(source: Source, exercise_id: str) -> list[Cell]:
    """The code cells that a student has run when the exercise's answer is due: given cells and earlier answers.

    Demo and check cells are left out. Raises KeyError where the source has no such exercise.
    """
    answers = source.of(exercise_id, "answer")
    if not answers:
        raise KeyError(
            f"{source.path.name} has no answer cell of {exercise_id} (have: {', '.join(source.exercise_ids)})"
        )
    return [
        cell
        for cell in source.cells[: answers[0].number - 1]
        if cell.kind == "code" and not {"demo", "check"} & set(cell.tags)
    ]


def namespace_before(source: Source, exercise_id: str) -> dict[str, Any]:
    """Run `cells_before`, solved, in a fresh module, and return its namespace.

    The module is registered under a name of its own, so that pickle finds what it defines, and the text of its cells
    is known to `inspect`. What a notebook imports from `grader` is there as functions that do nothing. What the cells
    print is dropped.
    """
    name = f"{source.session_id}_{next(_serial)}"
    module = ModuleType(name, f"{source.path.name} up to {exercise_id}")
    sys.modules[name] = module
    namespace = vars(module)
    namespace.update(_no_ops())
    for cell in cells_before(source, exercise_id):
        run_text(cell.solved, namespace, f"{source.path.name} cell {cell.number}")
        namespace.update(_no_ops())
    return namespace


def run_text(text: str, namespace: dict[str, Any], name: str) -> None:
    """Run a cell's text, or an answer's, in `namespace`. name: what a traceback and `inspect` call it."""
    filename = f"<{namespace['__name__']}: {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    with redirect_stdout(io.StringIO()):
        exec(compile(text, filename, "exec"), namespace)


def _no_ops() -> dict[str, Callable[..., None]]:
    return dict.fromkeys(NOTEBOOK_NAMES, _nothing)


def _nothing(*_args: object, **_kwargs: object) -> None:
    return None


def _problem(cell: Cell, session_id: str) -> str:
    """What is wrong with a cell, as a sentence, or ""."""
    unknown = sorted(set(cell.tags) - set(TAGS))
    named = sorted(set(cell.tags) & set(EXERCISE_TAGS))
    if unknown:
        return f"unknown tag {', '.join(unknown)} (have: {', '.join(TAGS)})"
    if named and not re.fullmatch(rf"{session_id}-e\d+", cell.exercise):
        return f'a cell tagged {named[0]} needs exercise="{session_id}-eN", got {cell.exercise!r}'
    if "check" in cell.tags and not re.search(rf"""check\(["']{cell.exercise}["']""", cell.text):
        return f'a check cell calls check("{cell.exercise}", …)'
    return _region_problem(cell)


def _region_problem(cell: Cell) -> str:
    marks: Sequence[str] = [
        line.split()[1] for line in cell.text.splitlines() if re.match(r"\s*### (BEGIN|END) ", line)
    ]
    if "answer" not in cell.tags:
        return "a solution region belongs into a cell tagged answer" if marks else ""
    if not marks:
        return "an answer cell needs a region from ### BEGIN SOLUTION to ### END SOLUTION"
    if list(marks) != ["BEGIN", "END"] * (len(marks) // 2):
        return "### BEGIN SOLUTION and ### END SOLUTION must come in pairs"
    return ""
