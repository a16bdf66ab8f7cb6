"""Sessions, exercises and their cases: the one registry that every command reads."""

import ast
import hashlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.engine.student import Student
    from grader.engine.world import World

CaseFunction = Callable[["Student", "World"], None]


@dataclass(frozen=True)
class Case:
    """One claim about an exercise. Students read `title`; `run` raises where it does not hold."""

    name: str
    title: str
    points: int
    run: CaseFunction


@dataclass
class Exercise:
    """One graded exercise.

    id: "chNN-eM"; provides: the names that the student hands over, in the order of `check(id, ...)`;
    hints: at least two, the first a question; cases: in the order in which they are judged.
    """

    id: str
    title: str
    provides: tuple[str, ...]
    hints: tuple[str, ...]
    session: "Session"
    cases: list[Case] = field(default_factory=list)

    def case(self, title: str, points: int = 1) -> Callable[[CaseFunction], CaseFunction]:
        """Decorator: the function below is a case of this exercise, worth `points`."""

        def add(function: CaseFunction) -> CaseFunction:
            if any(title == case.title or function.__name__ == case.name for case in self.cases):
                raise ValueError(f"{self.id} has two cases called {title!r}")
            self.cases.append(Case(function.__name__, title, points, function))
            return function

        return add

    @property
    def points(self) -> int:
        """The most that it can give."""
        return sum(case.points for case in self.cases)

    @property
    def version(self) -> str:
        """Changes when a case of this exercise, or what its module shares, changes.

        Titles and hints of exercises, comments between the statements, and the cases of other exercises are not in it.
        """
        module = inspect.getmodule(self.cases[0].run)
        statements = _statements(inspect.getsource(module)) if module else {}
        cases = {case.run.__qualname__ for exercise in self.session.exercises for case in exercise.cases}
        shared = [text for name, text in statements.items() if name not in cases]
        own = [
            f"{case.title}\n{case.points}\n{statements.get(case.run.__qualname__) or inspect.getsource(case.run)}"
            for case in self.cases
        ]
        return hashlib.sha256("\n".join([*shared, self.id, *self.provides, *own]).encode()).hexdigest()[:16]


@cache
def _statements(source: str) -> dict[str, str]:
    """The text of each top-level statement of a module of checks, functions by name; not what declares an exercise."""
    lines = source.splitlines()
    found = {}
    for number, node in enumerate(ast.parse(source).body):
        if isinstance(node, ast.Assign) and "session.exercise(" in (ast.get_source_segment(source, node) or ""):
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        found[getattr(node, "name", f"statement {number}")] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


@dataclass
class Session:
    """One session of the course.

    id: "chNN"; builds: modules of `course` that its students write, withheld while it is graded, like everything
    that later sessions build; gives: modules of later sessions that its given code uses all the same.
    """

    id: str
    title: str
    builds: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    exercises: list[Exercise] = field(default_factory=list)

    @property
    def number(self) -> int:
        """5 for "ch05"."""
        return int(self.id[2:])

    def exercise(self, id: str, title: str, provides: Sequence[str], hints: Sequence[str]) -> Exercise:  # noqa: A002
        """Add an exercise to this session."""
        if not id.startswith(f"{self.id}-e"):
            raise ValueError(f"{id} does not belong to {self.id}")
        if len(hints) < 2:
            raise ValueError(f"{id} needs at least two hints")
        made = Exercise(id, title, tuple(provides), tuple(hints), self)
        self.exercises.append(made)
        return made
