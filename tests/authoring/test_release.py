"""`grader.authoring.release`: the notebooks that are made of a source."""

import base64
import json
import re
from pathlib import Path

import nbformat
import pytest

from grader.authoring.release import Drift, as_text, checksum, release, slug, solved, student
from grader.authoring.source import Source, SourceError, read_session
from grader.checks import exercise

SESSION = """\
# %% [markdown]
# # 5 · A small session
#
# Zwölf Boxkämpfer, 李雷.

# %%
from grader import check, compare, hint, solution

# %% tags=["answer"] exercise="ch05-e1"
def run_loop(plan, tools, budget):
    ### BEGIN SOLUTION
    return "solved"
    ### END SOLUTION

# %% tags=["answer"] exercise="ch05-e1"
### BEGIN SOLUTION
limit = 3
### END SOLUTION

# %% tags=["demo"] exercise="ch05-e1"
compare(lambda: run_loop([], {}, 1), "solved")

# %% tags=["check"] exercise="ch05-e1"
check("ch05-e1", run_loop)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ch05.py").write_text(SESSION, encoding="utf-8", newline="\n")
    return tmp_path


def test_a_release_is_valid_utf8_json_with_sorted_keys_and_unix_line_ends(folder: Path) -> None:
    (path,) = release(folder=folder, out=folder / "made")
    assert path.name == "ch05-small-session.ipynb"
    content = path.read_bytes()
    assert b"\r" not in content
    assert "李雷" in content.decode("utf-8")
    assert json.dumps(json.loads(content), indent=1, ensure_ascii=False, sort_keys=True) + "\n" == content.decode(
        "utf-8"
    )
    nbformat.validate(nbformat.reads(content.decode("utf-8"), as_version=4))


def test_two_releases_are_the_same_bytes(folder: Path) -> None:
    first, second = (release(folder=folder, out=folder / name)[0].read_bytes() for name in ("one", "two"))
    assert first == second


def test_a_student_notebook_has_a_language_stable_ids_no_outputs_and_no_solution(folder: Path) -> None:
    notebook = student(read_session(folder / "ch05.py"))
    assert notebook.metadata.language_info.name == "python"
    assert notebook.metadata.kernelspec.name == "python3"
    assert [cell.id for cell in notebook.cells] == [
        "ch05-01", "ch05-02", "ch05-e1", "ch05-e1-2", "ch05-05", "ch05-e1-check", "ch05-07",
    ]  # fmt: skip
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")
    text = as_text(notebook)
    assert 'solved\\")' not in text.replace('1), \\"solved\\")', "")
    assert "SOLUTION" not in text
    assert 'raise NotImplementedError(\\"ch05-e1: Three ways to end\\")' in text


def test_the_solved_notebook_is_the_same_with_the_solutions_in_it(folder: Path) -> None:
    source = read_session(folder / "ch05.py")
    theirs, ours = student(source).cells, solved(source).cells
    assert [cell.id for cell in theirs] == [cell.id for cell in ours]
    assert [one.id for one, other in zip(theirs, ours, strict=True) if one.source != other.source] == [
        "ch05-e1",
        "ch05-e1-2",
    ]
    assert ours[2].source == 'def run_loop(plan, tools, budget):\n    return "solved"'


def test_after_each_check_stands_the_way_to_hints_and_solution(folder: Path) -> None:
    last = student(read_session(folder / "ch05.py")).cells[-1]
    assert last.cell_type == "markdown"
    for words in ('hint("ch05-e1")', 'solution("ch05-e1")', 'solution("ch05-e1", give_up=True)'):
        assert words in last.source


def test_answer_and_check_cells_carry_what_nbgrader_writes(folder: Path) -> None:
    cells = {cell.id: cell for cell in student(read_session(folder / "ch05.py")).cells}
    answer, check = cells["ch05-e1"].metadata.nbgrader, cells["ch05-e1-check"].metadata.nbgrader
    assert {key: answer[key] for key in answer if key != "checksum"} == {
        "cell_type": "code", "grade": False, "grade_id": "ch05-e1", "locked": False,
        "schema_version": 3, "solution": True, "task": False,
    }  # fmt: skip
    assert {key: check[key] for key in check if key != "checksum"} == {
        "cell_type": "code", "grade": True, "grade_id": "ch05-e1-check", "locked": True,
        "points": exercise("ch05-e1").points, "schema_version": 3, "solution": False, "task": False,
    }  # fmt: skip
    assert [name for name, cell in cells.items() if "nbgrader" in cell.metadata] == [
        "ch05-e1",
        "ch05-e1-2",
        "ch05-e1-check",
    ]


def test_a_checksum_is_the_one_that_nbgrader_computes(folder: Path) -> None:
    """The values are those of `nbgrader.utils.compute_checksum` (nbgrader 0.9) on these cells."""
    cells = {cell.id: cell for cell in student(read_session(folder / "ch05.py")).cells}
    assert cells["ch05-e1"].metadata.nbgrader.checksum == "5c84b6ef85fd350846b3d8d2ab65029e"
    check = cells["ch05-e1-check"]
    made = {**check.metadata.nbgrader, "points": 11}
    assert checksum("code", check.source, made) == "a95ca879aef8ca7181333bb5d75ff170"


PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>'


def with_picture(folder: Path, markdown: str) -> Source:
    (folder / "pictures").mkdir()
    (folder / "pictures" / "loop.svg").write_text(PICTURE, encoding="utf-8")
    path = folder / "ch05.py"
    path.write_text(SESSION.replace("# Zwölf", f"# {markdown}\n#\n# Zwölf"), encoding="utf-8", newline="\n")
    return read_session(path)


def test_a_picture_is_put_into_the_notebook_with_its_text(folder: Path) -> None:
    first = student(with_picture(folder, '![A loop with "four" exits](pictures/loop.svg)')).cells[0].source
    found = re.search(r'<img alt="A loop with &quot;four&quot; exits" src="data:image/svg\+xml;base64,([^"]+)">', first)
    assert found
    assert base64.b64decode(found[1]).decode("utf-8") == PICTURE


@pytest.mark.parametrize(
    ("markdown", "says"),
    [
        ("![](pictures/loop.svg)", "the picture pictures/loop.svg has no text in its brackets"),
        ("![A loop](pictures/lop.svg)", "the picture pictures/lop.svg does not exist"),
    ],
)
def test_a_picture_without_a_text_or_without_a_file_is_refused(folder: Path, markdown: str, says: str) -> None:
    with pytest.raises(SourceError, match=rf"ch05\.py, cell 1: {says}"):
        student(with_picture(folder, markdown))


def test_the_check_of_a_release_is_silent_until_a_notebook_differs(folder: Path) -> None:
    out = folder / "made"
    (path,) = release(folder=folder, out=out)
    assert release(check=True, folder=folder, out=out) == [path]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    changed = path.read_bytes()
    with pytest.raises(Drift, match=r"ch05-small-session\.ipynb; run `python -m grader release`") as error:
        release(check=True, folder=folder, out=out)
    assert error.value.files == ["ch05-small-session.ipynb"]
    assert path.read_bytes() == changed


def test_a_missing_notebook_and_one_without_a_source_are_drift_too(folder: Path) -> None:
    out = folder / "made"
    (path,) = release(folder=folder, out=out)
    path.rename(out / "ch05-old-name.ipynb")
    with pytest.raises(Drift) as error:
        release(check=True, folder=folder, out=out)
    assert error.value.files == ["ch05-old-name.ipynb", "ch05-small-session.ipynb"]


def test_an_exercise_without_a_check_is_refused_with_its_place(folder: Path) -> None:
    path = folder / "ch05.py"
    path.write_text(SESSION.replace("ch05-e1", "ch05-e77"), encoding="utf-8", newline="\n")
    with pytest.raises(SourceError, match=r"ch05\.py, cell 3: there is no exercise 'ch05-e77'"):
        student(read_session(path))


def test_a_source_without_a_heading_has_no_name(folder: Path) -> None:
    path = folder / "ch05.py"
    path.write_text("# %%\nx = 1\n", encoding="utf-8", newline="\n")
    with pytest.raises(SourceError, match="the first cell needs a heading"):
        slug(read_session(path))
