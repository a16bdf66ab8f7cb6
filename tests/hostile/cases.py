"""What a hostile case is, and the pieces that its notebook is made of: session 5, released, with answers in it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from grader.authoring.release import slug
from grader.authoring.source import ROOT, SOLUTIONS, read_session

Notebook = dict[str, Any]
Files = dict[str, bytes]  # file name -> content
Points = tuple[int, int, int, int]

ALL: Points = (11, 9, 5, 5)  # of ch05-e1 to e4
NONE: Points = (0, 0, 0, 0)
EXERCISES = ("ch05-e1", "ch05-e2", "ch05-e3", "ch05-e4")


@dataclass(frozen=True)
class Case:
    """One submission and the row that it must get.

    name: of its folder. tries: what it tries, in one line. files: its files, by name; links: name -> target of
    symbolic links beside them. points: by exercise, or None where no session is recognised. says: texts that must
    stand in what the row says: reason, notes, cell errors, reasons of cases. defaults: graded under the limits that
    `grade` has of itself, and not under the short ones of the corpus. size: to which its one file is stretched, with
    holes. ages: files that are older than the rest. also: (session, status, score) of further rows.
    """

    name: str
    tries: str
    files: Files
    status: str
    points: Points | None
    says: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    defaults: bool = False
    size: int = 0
    ages: tuple[str, ...] = ()
    also: tuple[tuple[str, str, int], ...] = ()


@cache
def _source() -> Any:
    return read_session(SOLUTIONS / "ch05.py")


@cache
def _released() -> str:
    return (ROOT / "notebooks" / f"{slug(_source())}.ipynb").read_text(encoding="utf-8")


@cache
def solved(exercise: str) -> str:
    """The course's own answer."""
    text: str = _source().of(exercise, "answer")[0].solved
    return text


def notebook(**answers: str) -> Notebook:
    """The released notebook with an answer in each answer cell: the course's own, or the one given as `e2=...`."""
    made: Notebook = json.loads(_released())
    for exercise in EXERCISES:
        cell_of(made, exercise)["source"] = answers.get(exercise.rpartition("-")[2], solved(exercise))
    return made


def untouched() -> Notebook:
    """The notebook as it was released."""
    made: Notebook = json.loads(_released())
    return made


def cell_of(made: Notebook, cell_id: str) -> dict[str, Any]:
    """The cell called `cell_id`: "ch05-e2" holds an answer, "ch05-e2-check" its check."""
    found: dict[str, Any] = next(cell for cell in made["cells"] if cell.get("id") == cell_id)
    return found


def own_cell(source: str, kind: str = "code") -> dict[str, Any]:
    """A cell that a student adds."""
    cell: dict[str, Any] = {"cell_type": kind, "id": f"own-{abs(hash_of(source)):x}", "metadata": {}, "source": source}
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def hash_of(text: str) -> int:
    """A number for a text, the same in every process."""
    return sum((n + 1) * ord(char) for n, char in enumerate(text)) % 2**32


def insert(made: Notebook, before: str, *sources: str) -> Notebook:
    """Cells of the student's own above the cell called `before`, or with "" at the end."""
    position = len(made["cells"]) if not before else made["cells"].index(cell_of(made, before))
    made["cells"][position:position] = [own_cell(source) for source in sources]
    return made


def as_file(made: Notebook) -> bytes:
    """The notebook as Jupyter writes it."""
    return (json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8")


def one(made: Notebook) -> Files:
    """A folder with this notebook and nothing else."""
    return {"ch05.ipynb": as_file(made)}


def in_a_cell(source: str, before: str = "ch05-e1") -> Files:
    """Right answers, and a cell of the student's own above one of them."""
    return one(insert(notebook(), before, source))


def in_e2(body: str) -> Files:
    """Right answers, but for `run_loop` of e2, which does `body` where a tool has refused: five cases, six points."""
    where = "        except ToolError as error:\n"
    return one(notebook(e2=solved("ch05-e2").replace(where, where + indented(body, 12))))


def in_e3(body: str) -> Files:
    """Right answers, but for `render_trace`, which does `body` for a receipt without steps: one case, one point."""
    where = "    lines = [\n"
    before = '    if not receipt["steps"]:\n' + indented(body, 8)
    return one(notebook(e3=solved("ch05-e3").replace(where, before + where)))


def indented(body: str, spaces: int) -> str:
    """The lines of `body` further to the right."""
    return "".join(f"{' ' * spaces}{line}\n" for line in body.strip("\n").splitlines())


def changed(change: Callable[[Notebook], None], **answers: str) -> Files:
    """A solved notebook after `change` has been at it."""
    made = notebook(**answers)
    change(made)
    return one(made)
