"""Hints, one at a time, and the solution: after a pass, or after an explicit giving up."""

import re
from pathlib import Path

from grader.checks import exercise as find_exercise
from grader.notebook import progress_file


class Text(str):
    """A text that a terminal shows as it is, without quotes, and a notebook as Markdown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/markdown": self.markdown()}

    def markdown(self) -> str:
        """The sentence; `names` in it are code."""
        return str(self)


class Code(Text):
    """Python source, which a notebook colours."""

    __slots__ = ()

    def markdown(self) -> str:
        """The source in a fence."""
        return f"```python\n{self}\n```"


def hint(exercise_id: str) -> Text:
    """The next hint for an exercise; after the last one it starts again. The first is always a question."""
    exercise = find_exercise(exercise_id)
    number = progress_file.note_hint(exercise_id) % len(exercise.hints)
    return Text(f"Hint {number + 1} of {len(exercise.hints)}: {exercise.hints[number]}")


def solution(exercise_id: str, give_up: bool = False) -> Text:
    """The course's solution, once `check` has passed, or with `give_up=True`, which is remembered."""
    find_exercise(exercise_id)
    if not progress_file.entry(exercise_id)["passed"]:
        if give_up:
            progress_file.note_give_up(exercise_id)
            return Code(_solution_text(exercise_id))
        return Text(
            f"The solution of {exercise_id} is shown after its check has passed. "
            f"To see it before: solution({exercise_id!r}, give_up=True)"
        )
    return Code(_solution_text(exercise_id))


def _solution_text(exercise_id: str) -> str:
    session = exercise_id.partition("-")[0]
    # In a wheel the solutions lie inside the package, in a working copy beside it.
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "_solutions", here.parent / "solutions"):
        for source in sorted(folder.glob(f"{session}*.py")):
            found = solution_cell(source.read_text(encoding="utf-8"), exercise_id)
            if found is not None:
                return found
    raise FileNotFoundError(f"the solutions are not installed here: no solutions/{session}*.py beside the grader")


def solution_cell(source: str, exercise_id: str) -> str | None:
    """The answer cell of an exercise in a session's source text, without its markers, or None."""
    for cell in re.split(r"^# %%", source, flags=re.MULTILINE):
        head, _, body = cell.partition("\n")
        if f'exercise="{exercise_id}"' in head and "answer" in head:
            lines = [line for line in body.splitlines() if not re.match(r"\s*### (BEGIN|END) SOLUTION", line)]
            return "\n".join(lines).strip("\n")
    return None
