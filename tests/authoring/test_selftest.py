"""`grader.authoring.selftest`: what it finds when a source, a check or a kept answer is not as it must be.

Each test breaks one thing in a copy of session 5, and that one thing must be named.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.authoring.selftest import ANSWER_SEEDS, Problem, selftest
from grader.authoring.source import SOLUTIONS
from grader.checks import exercise

WRONG, ODD = "wrong/ch05-e3", "odd/ch05-e3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of session 5 with few kept answers, so that a self-test of it is short."""
    shutil.copy(SOLUTIONS / "ch05.py", tmp_path)
    for name in ("wrong", "odd"):
        shutil.copytree(SOLUTIONS / name, tmp_path / name)
    for exercise_id in ("ch05-e1", "ch05-e2", "ch05-e4"):
        for extra in sorted((tmp_path / "wrong" / exercise_id).glob("*.py"))[3:]:
            extra.unlink()
    return tmp_path


def edit(path: Path, old: str, new: str, count: int = -1) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, count), encoding="utf-8", newline="\n")


def found(folder: Path, seeds: int = 2) -> list[Problem]:
    return list(selftest(["ch05"], seeds=seeds, folder=folder).problems)


def only(folder: Path, seeds: int = 2) -> Problem:
    problems = found(folder, seeds)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


def test_a_session_in_order_has_no_problem_and_every_verdict_is_counted(folder: Path) -> None:
    # The whole course, on 200 seeds, is what `grader selftest` judges; `make test` runs it.
    report = selftest(["ch05"], seeds=ANSWER_SEEDS, folder=folder)
    assert [str(problem) for problem in report.problems] == []
    assert report.ok
    assert report.exercises == 4
    assert report.wrong >= 3 * report.exercises
    assert report.odd >= 4
    assert report.verdicts == report.exercises * (1 + ANSWER_SEEDS) + (report.wrong + report.odd) * ANSWER_SEEDS
    assert report.to_record()["problems"] == []


def test_progress_names_what_is_judged_and_ends_at_the_total(folder: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    selftest(["ch05"], seeds=1, folder=folder, progress=lambda *step: seen.append(step))
    total = seen[0][2]
    assert [done for _, done, _ in seen] == list(range(total + 1))
    assert seen[0][0] == "ch05-e1 stub"
    assert f"{WRONG}/numbered_from_zero.py" in [what for what, _, _ in seen]


def test_a_session_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(KeyError, match=r"there is no session 'ch77' \(have: ch"):
        selftest(["ch77"])


def test_a_session_without_a_source_is_a_problem(folder: Path) -> None:
    (folder / "ch05.py").unlink()
    assert str(only(folder)) == "ch05  ch05.py: the session has checks and no source"


def test_a_source_that_cannot_be_read_is_a_problem_and_not_a_crash(folder: Path) -> None:
    edit(folder / "ch05.py", 'tags=["given"]', 'tags=["givn"]', 1)
    assert "unknown tag givn" in only(folder).message


def test_a_stub_that_gets_points_is_found(folder: Path) -> None:
    edit(
        folder / "ch05.py",
        "    ### BEGIN SOLUTION\n    lines = [",
        "    if not receipt['steps']:\n        return \"stopped_because='answered'  answer=''\"\n"
        "    ### BEGIN SOLUTION\n    lines = [",
    )
    problem = only(folder)
    assert (problem.exercise, problem.what) == ("ch05-e3", "stub")
    assert problem.message == "it gets 1 points, for: a run without a step is its closing line alone"


def test_a_solution_that_fails_is_found_with_the_seed_and_the_case(folder: Path) -> None:
    edit(folder / "ch05.py", "!r}  {spoken}=", "!r} {spoken}=")
    problem = only(folder)
    assert (problem.exercise, problem.what) == ("ch05-e3", "solution")
    assert problem.message.startswith("seed 0: one line a step, numbered from 1")


def test_a_wrong_answer_that_is_right_is_found(folder: Path) -> None:
    right = (folder / ODD / "percent_formatting.py").read_text(encoding="utf-8").partition("\n")[2]
    edit(folder / WRONG / "numbered_from_zero.py", "def render_trace", f"{right}\n\ndef not_used")
    problem = only(folder)
    assert (problem.exercise, problem.what) == ("ch05-e3", f"{WRONG}/numbered_from_zero.py")
    assert "ended as passed (rejected by: none)" in problem.message


def test_a_wrong_answer_that_another_case_rejects_is_found_with_that_case(folder: Path) -> None:
    path = folder / WRONG / "answer_shown_for_every_run.py"
    edit(path, "a refusal closes the trace under its own name", exercise("ch05-e3").cases[0].title)
    assert "rejected by: a refusal closes the trace under its own name" in only(folder).message


def test_a_wrong_answer_that_names_no_case_is_found(folder: Path) -> None:
    edit(folder / WRONG / "numbered_from_zero.py", "rejected by: one line", "rejected by: two lines")
    assert only(folder).message.startswith("there is no case 'two lines a step")


def test_a_message_that_does_not_say_what_it_must_is_found(folder: Path) -> None:
    edit(folder / WRONG / "refusal_shown_as_answer.py", "must say: a refusal is shown", "must say: the moon is shown")
    assert only(folder).message.startswith("seed 0: nowhere 'the moon is shown as a refusal' in: ")


def test_the_title_of_a_case_does_not_count_as_its_message(folder: Path) -> None:
    path = folder / WRONG / "refusal_shown_as_answer.py"
    edit(path, "must say: a refusal is shown as a refusal", "must say: a refusal closes the trace")
    assert "nowhere 'a refusal closes the trace'" in only(folder).message


def test_an_odd_answer_that_fails_is_found(folder: Path) -> None:
    edit(folder / ODD / "str_subclass.py", "first=1", "first=0")
    problem = only(folder)
    assert problem.what == f"{ODD}/str_subclass.py"
    assert problem.message.startswith("seed 0: ")


def test_an_answer_that_does_not_run_or_defines_nothing_is_found(folder: Path) -> None:
    edit(folder / ODD / "str_subclass.py", "class Trace(str)", "class Trace(no_such_name)")
    edit(folder / WRONG / "numbered_from_zero.py", "def render_trace", "def other_name")
    messages = {problem.what: problem.message for problem in found(folder)}
    assert messages == {
        f"{ODD}/str_subclass.py": "it does not run: NameError: name 'no_such_name' is not defined",
        f"{WRONG}/numbered_from_zero.py": "it does not define render_trace",
    }


def test_an_answer_does_not_live_on_the_function_of_an_earlier_exercise(folder: Path) -> None:
    edit(sorted((folder / "wrong/ch05-e2").glob("*.py"))[0], "def run_loop", "def other_name")
    assert only(folder).message == "it does not define run_loop"


def test_too_few_wrong_answers_and_too_few_odd_ones_are_found(folder: Path) -> None:
    shutil.rmtree(folder / "odd")
    for path in sorted((folder / WRONG).glob("*.py"))[2:]:
        path.unlink()
    assert [(problem.exercise, problem.message) for problem in found(folder)] == [
        ("ch05-e3", "2 wrong answers; an exercise needs at least 3"),
        ("ch05", "0 odd answers; a session needs at least 4"),
    ]


def test_a_first_hint_that_asks_nothing_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercise("ch05-e3"), "hints", ("Look at the spec.", "Is it not there?"))
    problem = only(folder)
    assert (problem.exercise, problem.what) == ("ch05-e3", "hints")


def test_a_demo_that_is_missing_and_one_that_comes_too_late_are_found(folder: Path) -> None:
    path = folder / "ch05.py"
    edit(path, '# %% tags=["demo"] exercise="ch05-e4"', '# %% tags=["given"]')
    edit(path, '# %% tags=["check"] exercise="ch05-e2"\ncheck("ch05-e2", run_loop)\n', "")
    demo = '# %% tags=["demo"] exercise="ch05-e2"'
    edit(path, demo, f'# %% tags=["check"] exercise="ch05-e2"\ncheck("ch05-e2", run_loop)\n\n{demo}', 1)
    assert {(problem.exercise, problem.message) for problem in found(folder)} == {
        ("ch05-e4", "it has no demo cell"),
        ("ch05-e2", "its cells must come in the order answer, demo, check"),
    }


def test_a_check_that_is_broken_is_a_problem_and_never_a_rejection(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_student: object, _world: object) -> None:
        raise RuntimeError("a mistake in the check")

    first, second, *others = exercise("ch05-e3").cases
    monkeypatch.setattr(exercise("ch05-e3"), "cases", [first, replace(second, run=broken), *others])
    said = {problem.what: problem.message for problem in found(folder, seeds=1)}
    assert "the check itself failed: RuntimeError" in said["solution"]
    assert "ended as not_judged" in said[f"{WRONG}/refusal_shown_as_answer.py"]
