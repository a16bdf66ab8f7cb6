"""What sessions 3 and 4 build, in the course's own version, passes the checks that a student's version must pass."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import course
from course.calls import call_tool
from course.tool import Tool
from course.tools import ToolRegistry
from grader.checks import exercise as find_exercise
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.notebook.display import as_text

SEEDS = 20


def as_a_students(module: str) -> dict[str, Any]:
    """The names of a module of `course`, as if a student had written them: records of `course` would cross by copy."""
    path = Path(course.__path__[0], f"{module}.py")
    made = ModuleType(f"written_like_{module}")
    sys.modules[made.__name__] = made
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(made))
    return vars(made)


def call_by_registry(tools: dict[str, Tool], name: str, args: dict[str, Any]) -> Any:
    """The course's `call_tool` takes a registry, where the session's takes a dict."""
    return call_tool(ToolRegistry(tools.values()), name, args)


@pytest.mark.parametrize(
    ("exercise_id", "module"),
    [
        ("ch03-e1", "models"),
        ("ch03-e2", "models"),
        ("ch03-e3", "models"),
        ("ch03-e4", "fingerprint"),
        ("ch04-e1", "errors"),
        ("ch04-e3", None),
    ],
)
def test_the_courses_own_version_passes_the_check(exercise_id: str, module: str | None) -> None:
    names = as_a_students(module) if module else {"call_tool": call_by_registry}
    exercise = find_exercise(exercise_id)
    for seed in range(SEEDS):
        verdict = judge(exercise, InProcessStudent(names, exercise.provides), f"agrees-{seed}")
        assert verdict.passed, as_text(verdict)
