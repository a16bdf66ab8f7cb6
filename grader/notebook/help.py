"""Hints, one at a time, and the solution: after a pass, or after an explicit giving up."""

from grader.checks import exercise as find_exercise
from grader.notebook import progress_file
from grader.notebook.solutions import solution_text


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
            return Code(solution_text(exercise_id))
        return Text(
            f"The solution of {exercise_id} is shown after its check has passed. "
            f"To see it before: solution({exercise_id!r}, give_up=True)"
        )
    return Code(solution_text(exercise_id))
