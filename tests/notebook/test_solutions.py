"""What is read of `solutions/` where the course is installed is what the notebooks hold."""

import json

import pytest

from grader.authoring.release import NOTEBOOKS
from grader.checks import sessions
from grader.notebook.solutions import given_cells, solution_text


@pytest.mark.parametrize("session", sessions())
def test_the_given_cells_are_those_of_the_notebook_that_no_student_writes(session: str) -> None:
    (path,) = NOTEBOOKS.glob(f"{session}-*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert list(given_cells(session)) == [
        "".join(cell["source"]) for cell in code if "answer" not in cell["metadata"].get("tags", [])
    ]


def test_a_session_without_a_source_gives_no_cells_and_no_solution() -> None:
    assert given_cells("ch99") == ()
    with pytest.raises(FileNotFoundError, match=r"no solutions/ch99\*\.py"):
        solution_text("ch99-e1")
