"""What a notebook sees of the grader: check, compare, hint and solution. Standard library only."""

from grader.notebook.check import check
from grader.notebook.compare import compare
from grader.notebook.help import hint, solution

__all__ = ["check", "compare", "hint", "solution"]
