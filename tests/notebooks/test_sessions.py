"""Every session's notebook, as a student meets it: run in a real kernel, and held to the anatomy that all share."""

import re
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.authoring.release import release, solved, student
from grader.authoring.source import Source, sources
from grader.checks import sessions as checked_sessions

SOURCES = {source.session_id: source for source in sources()}
EXERCISES = [(source.session_id, exercise) for source in SOURCES.values() for exercise in source.exercise_ids]

CELLS, WORDS, GIVEN_LINES = range(35, 56), range(1200, 2001), range(150, 251)
MOTIVE_WORDS = 120

every_session = pytest.mark.parametrize("session_id", SOURCES)
every_exercise = pytest.mark.parametrize(("session_id", "exercise_id"), EXERCISES)


@cache
def executed(session_id: str, kind: str) -> NotebookNode:
    """The student's or the solved notebook, run top to bottom in a real kernel that goes on after an error."""
    notebook = {"student": student, "solved": solved}[kind](SOURCES[session_id])
    with TemporaryDirectory() as folder:  # a kernel of its own and a progress file of its own
        where = {"metadata": {"path": folder}}
        NotebookClient(notebook, kernel_name="python3", allow_errors=True, timeout=120, resources=where).execute()
    return notebook


def errors(notebook: NotebookNode) -> list[str]:
    return [
        f"{cell.id}: {output.ename}: {output.evalue}"
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]


def plain(cell: NotebookNode) -> str:
    """What a cell shows as its value, as text."""
    return "".join(o["data"]["text/plain"] for o in cell.outputs if o.output_type == "execute_result")


def prose(cell: Any) -> str:
    return re.sub(r"<img[^>]*>", "", cell.source)


def section(source: Source, exercise_id: str) -> list[Any]:
    """The cells of an exercise: from the last heading before its answer to its check."""
    answer = source.of(exercise_id, "answer")[0].number
    end = source.of(exercise_id, "check")[-1].number
    start = max(
        cell.number for cell in source.cells[:answer] if cell.kind == "markdown" and cell.text.startswith("## ")
    )
    return list(source.cells[start - 1 : end])


def test_every_session_that_has_checks_has_a_source_with_the_same_exercises() -> None:
    assert {name: [e.id for e in session.exercises] for name, session in checked_sessions().items()} == {
        name: source.exercise_ids for name, source in SOURCES.items()
    }


def test_the_committed_notebooks_are_what_the_sources_make() -> None:
    assert len(release(check=True)) == len(SOURCES)


# ---------------------------------------------------------------------------------------------------- in a real kernel
@every_session
def test_the_solved_notebook_runs_top_to_bottom_without_an_error(session_id: str) -> None:
    assert errors(executed(session_id, "solved")) == []


@every_exercise
def test_in_the_solved_notebook_the_check_gives_full_points(session_id: str, exercise_id: str) -> None:
    cell = next(c for c in executed(session_id, "solved").cells if c.get("id") == f"{exercise_id}-check")
    found = re.search(r"(\d+) of (\d+) points", plain(cell))
    assert found, plain(cell)
    assert found[1] == found[2] != "0"


@every_session
def test_the_only_errors_of_the_student_notebook_are_its_stubs(session_id: str) -> None:
    ids = "|".join(SOURCES[session_id].exercise_ids)
    for error in errors(executed(session_id, "student")):
        assert re.fullmatch(rf"\S+: NotImplementedError: ({ids}): .+", error)


@every_exercise
def test_a_check_of_a_stub_shows_a_verdict_without_points_and_names_the_exercise(
    session_id: str, exercise_id: str
) -> None:
    cell = next(c for c in executed(session_id, "student").cells if c.get("id") == f"{exercise_id}-check")
    shown = plain(cell)
    assert shown.startswith(exercise_id)
    assert re.search(r"\b0 of [1-9]\d* points", shown)
    assert re.search(rf"not written\s+{exercise_id}: ", shown)


@every_exercise
def test_a_demo_runs_while_the_stub_raises(session_id: str, exercise_id: str) -> None:
    for made in (executed(session_id, "student"), executed(session_id, "solved")):
        number = next(n for n, cell in enumerate(made.cells) if cell.get("id") == f"{exercise_id}-check")
        demos = [cell for cell in made.cells[:number] if "demo" in cell.metadata.get("tags", [])]
        assert demos
        assert all(cell.outputs for cell in demos)


@every_session
def test_in_the_solved_notebook_no_comparison_differs(session_id: str) -> None:
    for cell in executed(session_id, "solved").cells:
        if cell.cell_type == "code" and "compare(" in cell.source:
            assert "differs" not in plain(cell), plain(cell)


# ------------------------------------------------------------------------------------------------------------- anatomy
@every_session
def test_a_session_is_neither_too_long_nor_too_short(session_id: str) -> None:
    source, notebook = SOURCES[session_id], student(SOURCES[session_id])
    words = sum(len(prose(cell).split()) for cell in notebook.cells if cell.cell_type == "markdown")
    given = sum(bool(line.strip()) for cell in source.cells if "given" in cell.tags for line in cell.text.splitlines())
    assert len(notebook.cells) in CELLS
    assert words in WORDS
    assert given in GIVEN_LINES


@every_session
def test_a_session_begins_with_what_it_builds_and_one_setup_cell(session_id: str) -> None:
    first, second, *_ = SOURCES[session_id].cells
    assert re.match(rf"# {int(session_id[2:])} · \S", first.text)
    for mark in ("**You will build**", "**You need**", "**Minutes**"):
        assert mark in first.text
    assert second.text == "from grader import check, compare, hint, solution"


@every_session
def test_a_session_ends_with_what_was_built_measured_and_not_proved(session_id: str) -> None:
    source = SOURCES[session_id]
    last_check = max(cell.number for cell in source.cells if "check" in cell.tags)
    recap = "\n".join(cell.text for cell in source.cells[last_check:] if cell.kind == "markdown")
    places = [recap.find(mark) for mark in ("**Built:**", "**Measured:**", "**Not proved:**", "**Next**")]
    assert -1 not in places
    assert places == sorted(places)


@every_exercise
def test_an_exercise_opens_with_a_short_real_failure_and_its_source(session_id: str, exercise_id: str) -> None:
    opening = section(SOURCES[session_id], exercise_id)[0].text
    number = exercise_id.rpartition("e")[2]
    assert opening.startswith(f"## {number} · ")
    paragraphs = opening.split("\n\n")
    linked = [n for n, text in enumerate(paragraphs) if re.search(r"\]\(https://github\.com/[^)]+\)", text)]
    assert linked
    assert len(" ".join(paragraphs[1 : linked[0] + 1]).split()) <= MOTIVE_WORDS


@every_exercise
def test_an_exercise_says_what_to_write_what_not_to_change_and_when_it_is_done(
    session_id: str, exercise_id: str
) -> None:
    source = SOURCES[session_id]
    task = source.cells[source.of(exercise_id, "answer")[0].number - 2]
    places = [task.text.find(mark) for mark in ("**You write**", "**Don't change**", "**Done when**")]
    assert -1 not in places
    assert places == sorted(places)


@every_exercise
def test_an_exercise_is_given_code_then_answer_then_demo_then_check(session_id: str, exercise_id: str) -> None:
    tags = [cell.tags[0] for cell in section(SOURCES[session_id], exercise_id) if cell.tags]
    order = [tags.index(tag) for tag in ("given", "answer", "demo", "check")]
    assert order == sorted(order)


@every_session
def test_a_session_has_a_picture_that_can_also_be_read_aloud(session_id: str) -> None:
    pictures = re.findall(r"<img [^>]*>", "".join(c.source for c in student(SOURCES[session_id]).cells))
    assert pictures
    for picture in pictures:
        assert re.search(r'alt="[^"]{20,}"', picture)
        assert 'src="data:' in picture
