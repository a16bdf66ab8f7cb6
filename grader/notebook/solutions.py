"""Reads `solutions/` where the course is installed, without what its authors need to read it."""

import re
from collections.abc import Iterator
from pathlib import Path

_CELL = re.compile(r"^# %%", re.MULTILINE)
_MARKER = re.compile(r"\s*### (BEGIN|END) SOLUTION")


def solution_text(exercise_id: str) -> str:
    """The course's answer to an exercise. Raises FileNotFoundError where the solutions are not installed."""
    session = exercise_id.partition("-")[0]
    for source in _sources(session):
        found = solution_cell(source, exercise_id)
        if found is not None:
            return found
    raise FileNotFoundError(f"the solutions are not installed here: no solutions/{session}*.py beside the grader")


def solution_cell(source: str, exercise_id: str) -> str | None:
    """The answer cell of an exercise in a session's source text, without its markers, or None."""
    for head, body in _cells(source):
        if f'exercise="{exercise_id}"' in head and "answer" in head:
            return "\n".join(line for line in body.splitlines() if not _MARKER.match(line)).strip("\n")
    return None


def given_cells(session_id: str) -> tuple[str, ...]:
    """The code cells of a session's notebook that students run as they are; none where there is no `solutions/`."""
    return tuple(
        body.strip("\n")
        for source in _sources(session_id)
        for head, body in _cells(source)
        if "[markdown]" not in head and '"answer"' not in head
    )


def _sources(session: str) -> Iterator[str]:
    # In a wheel the solutions lie inside the package, in a working copy beside it.
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "_solutions", here.parent / "solutions"):
        for path in sorted(folder.glob(f"{session}*.py")):
            yield path.read_text(encoding="utf-8")


def _cells(source: str) -> Iterator[tuple[str, str]]:
    """(what stands behind `# %%`, the text below) of each cell; what precedes the first is none."""
    for cell in _CELL.split(source)[1:]:
        head, _, body = cell.partition("\n")
        yield head, body
