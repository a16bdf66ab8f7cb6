"""The notebooks that are graded: session 5, a whole class of it, and the trivial exercises for nbgrader and otter.

All graders get the same three functions and make the same six claims of them.
"""

import json
from pathlib import Path
from typing import Any

from bench.trivial import TRIVIAL, Trivial
from grader.authoring.answers import odd_answers, wrong_answers
from grader.authoring.release import as_text, solved
from grader.authoring.source import SOLUTIONS, read_session
from grader.classroom.notebook_file import cells_of
from grader.sandbox.supervisor import Paper

Notebook = dict[str, Any]


def session5_paper() -> Paper:
    """Session 5 as the course solves it."""
    notebook = solved(read_session(SOLUTIONS / "ch05.py"))
    return Paper(tuple(cell.source for cell in cells_of(notebook) if cell.kind == "code"))


def write_class(folder: Path, count: int) -> None:
    """A class of session 5, one folder a submission, no two files alike.

    Every other one is right; the rest take turns with the wrong and the odd answers of `solutions/`.
    """
    source = read_session(SOLUTIONS / "ch05.py")
    right = json.loads(as_text(solved(source)))
    kept = [(id_, one.text) for id_ in source.exercise_ids for one in (*wrong_answers(id_), *odd_answers(id_))]
    for number in range(count):
        notebook = json.loads(json.dumps(right))
        if number % 2:
            exercise, text = kept[number // 2 % len(kept)]
            next(cell for cell in notebook["cells"] if cell["id"] == exercise)["source"] = text
        notebook["cells"][0]["source"] += f"\n\nSubmission {number}."
        place = folder / f"student-{number:04}"
        place.mkdir(parents=True)
        (place / "ch05.ipynb").write_text(json.dumps(notebook), encoding="utf-8", newline="\n")


# ---------------------------------------------------------------------------------------------------------- the rivals
def nbgrader_source() -> Notebook:
    """The source notebook of an nbgrader assignment: a solution cell and a test cell for each exercise."""
    cells = []
    for one in TRIVIAL:
        name, _, body = one.answer.partition("\n")
        marked = f"{name}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
        cells.append(_code(marked, one.name, solution=True))
        cells.append(_code(_asserts(one), f"{one.name}-test", grade=True, locked=True, points=2))
    return _notebook(cells)


def nbgrader_submission(released: Notebook) -> Notebook:
    """The released notebook with the right answers in it."""
    for cell in released["cells"]:
        for one in TRIVIAL:
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == one.name:
                cell["source"] = one.answer
    return released


def otter_submission() -> Notebook:
    """A right submission with otter's own check cells in it."""
    cells = [_code("import otter\ngrader = otter.Notebook()")]
    for one in TRIVIAL:
        cells += [_code(one.answer), _code(f'grader.check("{one.name}")')]
    return _notebook(cells)


def write_otter_tests(folder: Path) -> None:
    """otter's test files, one an exercise."""
    folder.mkdir(parents=True)
    for one in TRIVIAL:
        cases = [
            {"code": f">>> {one.name}({given!r}) == {wanted!r}\nTrue", "hidden": False} for given, wanted in one.claims
        ]
        test = {"name": one.name, "points": 2, "suites": [{"type": "doctest", "scored": True, "cases": cases}]}
        (folder / f"{one.name}.py").write_text(f"OK_FORMAT = True\ntest = {test!r}\n", encoding="utf-8", newline="\n")


def _asserts(one: Trivial) -> str:
    return "\n".join(f"assert {one.name}({argument!r}) == {wanted!r}" for argument, wanted in one.claims)


def _code(source: str, grade_id: str = "", **nbgrader: Any) -> dict[str, Any]:
    fields = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False, **nbgrader}
    metadata = {"nbgrader": {**fields, "grade_id": grade_id}} if grade_id else {}
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": source}


def _notebook(cells: list[dict[str, Any]]) -> Notebook:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    numbered = [{**cell, "id": f"cell-{number}"} for number, cell in enumerate(cells)]
    return {"cells": numbered, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
