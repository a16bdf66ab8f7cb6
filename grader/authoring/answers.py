"""Reads the answers that are kept beside a session's source: wrong ones with what must be said of them, and odd ones.

    solutions/wrong/ch05-e2/answers_on_budget.py     must be rejected, by the case that its docstring names
    solutions/odd/ch05-e2/class_with_call.py         is right in another way, and must pass

A wrong answer's docstring says in its first line what it does wrong, and then, in two lines,
`rejected by: <the title of a case>` and `must say: <a text that occurs in that case's failure>`.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.source import SOLUTIONS, SourceError

_REJECTED, _SAYS = "rejected by:", "must say:"


@dataclass(frozen=True)
class Answer:
    """One kept answer. what: the docstring's first line; rejected_by, must_say: "" for an odd one."""

    path: Path
    text: str
    what: str
    rejected_by: str = ""
    must_say: str = ""


def wrong_answers(exercise_id: str, folder: Path = SOLUTIONS) -> list[Answer]:
    """The wrong answers to one exercise, by file name; raises `SourceError` where a docstring lacks a line."""
    return [_read(path, wrong=True) for path in sorted((folder / "wrong" / exercise_id).glob("*.py"))]


def odd_answers(exercise_id: str, folder: Path = SOLUTIONS) -> list[Answer]:
    """The odd but right answers to one exercise, by file name; raises `SourceError` for one without a docstring."""
    return [_read(path, wrong=False) for path in sorted((folder / "odd" / exercise_id).glob("*.py"))]


def _read(path: Path, wrong: bool) -> Answer:
    text = path.read_text(encoding="utf-8")
    place = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    try:
        docstring = ast.get_docstring(ast.parse(text)) or ""
    except SyntaxError as error:
        raise SourceError(f"{place}, line {error.lineno}: not Python: {error.msg}") from None
    lines = docstring.splitlines()
    if not lines:
        raise SourceError(
            f"{place}: begin it with a docstring that says what is {'wrong' if wrong else 'odd'} about it"
        )
    rejected_by, must_say = (_after(mark, lines) for mark in (_REJECTED, _SAYS))
    if wrong and not (rejected_by and must_say):
        raise SourceError(f"{place}: its docstring needs a line `{_REJECTED} …` and a line `{_SAYS} …`")
    return Answer(path, text, lines[0], rejected_by, must_say)


def _after(mark: str, lines: list[str]) -> str:
    return next((line.removeprefix(mark).strip() for line in lines if line.startswith(mark)), "")
