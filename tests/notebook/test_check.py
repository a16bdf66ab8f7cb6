"""`check` in a student's own kernel: the verdict, the refusals, and nothing but the standard library behind it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import grader
from course.loops import receipts
from grader import check, solution
from grader.engine import student as student_module

ROOT = Path(grader.__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The names of a notebook: what stands in `__main__`."""
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    yield vars(main)


def run_loop(plan: Any, tools: Any, budget: int) -> Any:
    """Right, and not the course's own."""
    return receipts.run_loop(plan, tools, budget)


def stub(plan: Any, tools: Any, budget: int) -> Any:
    raise NotImplementedError("ch05-e2: the fourth exit")


# ---------------------------------------------------------------------------------------------------- verdicts
def test_what_is_handed_over_is_judged() -> None:
    shown = check("ch05-e2", run_loop)
    assert shown.passed
    assert shown.verdict.points == shown.verdict.max_points > 0


def test_without_objects_they_are_looked_up_by_name(kernel: dict[str, Any]) -> None:
    kernel["run_loop"] = run_loop
    assert check("ch05-e2").passed


def test_what_is_handed_over_goes_before_what_has_the_name(kernel: dict[str, Any]) -> None:
    kernel["run_loop"] = stub
    assert check("ch05-e2", run_loop).passed
    assert not check("ch05-e2").passed


def test_a_stub_gets_nothing_and_its_own_words_back() -> None:
    shown = check("ch05-e2", stub)
    assert (shown.verdict.status, shown.verdict.points) == ("failed", 0)
    assert "not written    ch05-e2: the fourth exit" in repr(shown)


def test_practice_uses_the_same_values_each_time() -> None:
    assert repr(check("ch05-e2", stub)) == repr(check("ch05-e2", stub))


def test_an_endless_loop_does_not_hang_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(student_module, "CALL_SECONDS", 0.1)
    monkeypatch.setattr(student_module, "AGAIN_SECONDS", 0.05)

    def endless(plan: Any, tools: Any, budget: int) -> Any:
        while True:
            pass

    shown = check("ch05-e2", endless)
    assert shown.verdict.status == "timed_out"
    assert "did not return within 0.1 s" in repr(shown)


def test_an_endless_loop_of_calls_does_not_hang_the_kernel() -> None:
    def endless(plan: Any, tools: Any, budget: int) -> Any:
        while True:
            next(iter(tools.values()))(topic="x")

    shown = check("ch05-e1", endless)
    assert shown.verdict.status == "timed_out"
    assert "made more than 200 tool calls in one case" in repr(shown)


def test_nbgrader_is_given_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert repr(check("ch05-e2", stub)) == "0"


def test_leaving_the_interpreter_does_not_leave_the_kernel() -> None:
    def leaves(plan: Any, tools: Any, budget: int) -> Any:
        sys.exit("enough")

    assert check("ch05-e2", leaves).verdict.status == "crashed"


# ---------------------------------------------------------------------------------------------------- refusals
def test_an_unknown_exercise_is_named_with_those_that_there_are() -> None:
    with pytest.raises(KeyError, match=r"there is no exercise 'ch05-e99' \(have: .*ch05-e1.*\)"):
        check("ch05-e99", run_loop)


def test_a_wrong_number_of_objects_is_refused_with_the_names_that_are_wanted() -> None:
    with pytest.raises(TypeError, match=r"check\('ch05-e2', …\) takes run_loop: 1, not 2"):
        check("ch05-e2", run_loop, run_loop)


def test_a_name_that_is_not_defined_says_which_cell_to_run() -> None:
    shown = check("ch05-e2")
    assert shown.verdict.status == "not_found"
    assert "run_loop is not defined: run the cell that defines it first" in repr(shown)


def test_an_object_of_the_course_is_refused_with_a_sentence() -> None:
    shown = check("ch05-e2", receipts.run_loop)
    assert (shown.verdict.status, shown.verdict.points) == ("failed", 0)
    sentence = "run_loop comes from course.loops.receipts, which is what this session builds: hand over your own"
    assert {case.reason for case in shown.verdict.cases} == {sentence}
    assert sentence in repr(shown)


def test_an_object_whose_module_is_no_text_is_judged_like_any_other() -> None:
    class Odd:
        __module__ = ["course.loops.receipts"]  # type: ignore[assignment]  # noqa: RUF012

        def __call__(self, plan: Any, tools: Any, budget: int) -> Any:
            return receipts.run_loop(plan, tools, budget)

    assert check("ch05-e2", Odd()).passed


def test_an_object_that_is_no_function_fails_and_does_not_crash_the_check() -> None:
    shown = check("ch05-e2", 42)
    assert shown.verdict.status == "failed"
    assert "this is no function but a value of type int: hand over the function, not what it returned" in repr(shown)


# ---------------------------------------------------------------------------------------------------- the solution
def test_the_solution_is_shown_after_a_pass_and_not_before() -> None:
    assert "shown after its check has passed" in solution("ch05-e2")
    check("ch05-e2", stub)
    assert "shown after its check has passed" in solution("ch05-e2")
    check("ch05-e2", run_loop)
    assert solution("ch05-e2").lstrip().startswith("def run_loop(")


# ---------------------------------------------------------------------------------------------------- imports
IMPORTS = """
import sys
sys.path[:] = [{root!r}, *[entry for entry in sys.path if "site-packages" not in entry]]
before = set(sys.modules)
from grader import check, compare, hint, solution
from course.loops import receipts
check("ch05-e2", lambda *a, **k: receipts.run_loop(*a, **k))
check("ch05-e2", 42)._repr_html_()
hint("ch05-e1")
own = ("course", "grader")
roots = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(sorted(name for name in roots if name not in sys.stdlib_module_names and name not in own))
print(sorted(name for name in sys.modules if name.startswith(("grader.sandbox", "grader.classroom", "grader.auth"))))
"""


def test_all_that_check_imports_is_the_standard_library_the_engine_and_the_course() -> None:
    command = [sys.executable, "-I", "-S", "-c", IMPORTS.format(root=str(ROOT))]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.stderr, done.stdout.splitlines()) == ("", ["[]", "[]"])
