"""A session as a page: the stub where the student writes, outputs of the solved notebook, the rest folded."""

import json
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

from grader.authoring.answers import wrong_answers
from grader.authoring.source import SOLUTIONS, SourceError, read_session
from grader.checks import exercise as find_exercise
from grader.checks import sessions
from publish.book import session_page
from publish.overview import overview
from publish.pages import _fenced
from publish.runs import RunError, executed
from publish.wrong import CHOSEN, instructive

SESSION_5 = read_session(SOLUTIONS / "ch05.py")


@cache
def page() -> nbformat.NotebookNode:
    return nbformat.reads(session_page(SESSION_5), as_version=4)


def boxes_of(exercise_id: str) -> str:
    """The cell that follows the check of an exercise."""
    at = next(n for n, cell in enumerate(page().cells) if cell.id == f"{exercise_id}-check")
    return str(page().cells[at + 1].source)


def test_where_the_student_writes_stands_the_stub() -> None:
    answers = [cell for cell in page().cells if "answer" in cell.metadata.get("tags", [])]
    assert len(answers) == 4
    for cell in answers:
        assert f'raise NotImplementedError("{cell.id}' in cell.source
        assert "canonical(name, args)" not in cell.source and "### BEGIN" not in cell.source


def test_the_outputs_are_those_of_the_solutions() -> None:
    for exercise_id in SESSION_5.exercise_ids:
        check = next(cell for cell in page().cells if cell.id == f"{exercise_id}-check")
        points = find_exercise(exercise_id).points
        assert f"{points} of {points} points" in check.outputs[0].data["text/html"]


def test_below_each_check_hints_a_wrong_answer_and_the_solution_are_folded() -> None:
    for exercise_id in SESSION_5.exercise_ids:
        text = boxes_of(exercise_id)
        titles = re.findall(r"\{dropdown\} (.+)", text)
        hints = find_exercise(exercise_id).hints
        expected = [f"Hint {n} of {len(hints)}" for n in range(1, len(hints) + 1)]
        assert titles == [*expected, "A wrong answer, and its verdict", "Solution"]
        assert all(hint in text for hint in hints)
        assert "✗</span> failed" in text
    assert 'refusal=f"stopped: {name} refused ({error})"' in boxes_of("ch05-e2")


def test_the_page_leads_to_the_notebook_in_the_browser_and_to_the_file() -> None:
    title, ways, *_ = page().cells[0].source.split("\n\n")
    assert title == "# 5 · A deterministic mini-agent"
    assert 'href="../lite/notebooks/index.html?path=ch05-deterministic-mini-agent.ipynb"' in ways
    assert 'href="../notebooks/ch05-deterministic-mini-agent.ipynb"' in ways


def test_each_output_has_one_form_and_no_widget() -> None:
    outputs = [one for cell in page().cells for one in cell.get("outputs", ())]
    assert {kind for one in outputs for kind in one.get("data", {})} == {"text/html", "text/plain"} - {"text/plain"}
    assert all(len(one.get("data", {})) <= 1 for one in outputs)


def test_a_page_is_the_same_text_each_time() -> None:
    assert session_page(SESSION_5) == session_page(SESSION_5)


def test_a_solved_notebook_that_raises_names_its_cell(tmp_path: Path) -> None:
    source = tmp_path / "ch05.py"
    source.write_text('# %% [markdown]\n# # 5 · Broken\n\n# %% tags=["given"]\nprint(1 / 0)\n', encoding="utf-8")
    with pytest.raises(RunError, match=r"ch05.py: cell 2 of the solved notebook \(ch05-02\) raised ZeroDivisionError"):
        executed(read_session(source))


def test_every_chosen_wrong_answer_is_kept() -> None:
    chosen = json.loads(CHOSEN.read_text(encoding="utf-8"))
    exercises = {exercise.id for session in sessions().values() for exercise in session.exercises}
    assert set(chosen) <= exercises
    kept = {name: {answer.path.stem for answer in wrong_answers(name)} for name in chosen}
    assert [name for name, stem in chosen.items() if stem not in kept[name]] == []


def test_an_exercise_without_wrong_answers_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="ch05-e1: no wrong answer"):
        instructive(SESSION_5, "ch05-e1", tmp_path)


def test_a_wrong_answer_is_shown_without_the_docstring_that_gives_it_away() -> None:
    shown = instructive(SESSION_5, "ch05-e2")
    assert "rejected by" not in shown.code and shown.code.startswith("def ")
    assert shown.what.endswith(".") and not shown.verdict.passed


def test_a_fence_is_longer_than_any_in_what_it_holds() -> None:
    assert _fenced("`", "python", "a = '````'").startswith("`````python\n")
    assert _fenced(":", "x", "plain") == ":::x\nplain\n:::"


def test_the_map_says_of_every_session_what_it_builds_and_asks() -> None:
    text = overview([SESSION_5])
    assert "5 · A deterministic mini-agent" in text and ":link: /sessions/ch05-deterministic-mini-agent" in text
    assert "A loop that works off a plan" in text and "4 exercises · 30 points · 90 minutes" in text
    assert "`course.loops.receipts`" in text


def test_a_first_cell_without_what_the_map_shows_is_named(tmp_path: Path) -> None:
    source = tmp_path / "ch05.py"
    source.write_text("# %% [markdown]\n# # 5 · Nothing said\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"ch05.py: the first cell has no .*You will build"):
        overview([read_session(source)])
