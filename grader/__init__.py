"""The grader. `from grader import check` is all that a student needs; the rest belongs to the folders below."""

from grader.notebook import check, compare, hint, progress, solution

__all__ = ["check", "compare", "hint", "progress", "solution"]
