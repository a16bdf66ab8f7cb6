"""Hints one at a time, and the solution after a pass or an explicit giving up."""

from dataclasses import replace

import pytest

from grader import hint, solution
from grader.checks import exercise, sessions
from grader.engine.judge import unjudged
from grader.engine.verdict import Verdict
from grader.notebook.progress_file import entry, note_verdict
from grader.notebook.solutions import solution_cell

EVERY = [one.id for session in sessions().values() for one in session.exercises]


@pytest.mark.parametrize("exercise_id", EVERY)
def test_hints_come_one_at_a_time_and_begin_again_after_the_last(exercise_id: str) -> None:
    hints = exercise(exercise_id).hints
    shown = [repr(hint(exercise_id)) for _ in range(len(hints) + 1)]
    assert shown[:-1] == [f"Hint {n} of {len(hints)}: {text}" for n, text in enumerate(hints, 1)]
    assert shown[-1] == shown[0]


def test_the_hints_of_two_exercises_are_counted_apart() -> None:
    assert str(hint("ch05-e1")).startswith("Hint 1")
    assert str(hint("ch05-e2")).startswith("Hint 1")


@pytest.mark.parametrize("exercise_id", EVERY)
def test_giving_up_shows_the_solution_without_its_markers(exercise_id: str) -> None:
    shown = solution(exercise_id, give_up=True)
    assert all(name in shown for name in exercise(exercise_id).provides)
    assert "SOLUTION" not in shown and "NotImplementedError" not in shown
    compile(shown, exercise_id, "exec")


def passed(exercise_id: str) -> Verdict:
    blank = unjudged(exercise(exercise_id), "passed", "")
    return replace(blank, cases=tuple(replace(case, points=case.max_points) for case in blank.cases))


def test_before_a_pass_it_says_how_to_give_up() -> None:
    shown = repr(solution("ch05-e1"))
    assert shown.endswith("solution('ch05-e1', give_up=True)")
    note_verdict(passed("ch05-e1"))
    assert solution("ch05-e1") == solution("ch05-e1", give_up=True)
    assert not entry("ch05-e1")["gave_up"]


@pytest.mark.parametrize("ask", [hint, solution])
def test_an_unknown_exercise_is_named(ask: object) -> None:
    with pytest.raises(KeyError, match="there is no exercise 'ch05-e99'"):
        ask("ch05-e99")  # type: ignore[operator]


def test_only_the_answer_cell_of_the_exercise_is_the_solution() -> None:
    source = (
        '# %% tags=["demo"] exercise="ch05-e1"\nshown()\n\n'
        '# %% tags=["answer"] exercise="ch05-e1"\n'
        "def f():\n    ### BEGIN SOLUTION: x\n    return 1\n    ### END SOLUTION\n"
        '\n# %% tags=["answer"] exercise="ch05-e2"\ng = 2\n'
    )
    assert solution_cell(source, "ch05-e1") == "def f():\n    return 1"
    assert solution_cell(source, "ch05-e3") is None


def test_a_notebook_shows_a_hint_as_markdown_and_a_solution_as_code() -> None:
    assert hint("ch05-e1")._repr_mimebundle_()["text/markdown"].startswith("Hint 1 of")
    shown = solution("ch05-e1", give_up=True)._repr_mimebundle_()
    assert shown["text/markdown"] == f"```python\n{shown['text/plain']}\n```"
