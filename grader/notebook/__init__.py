"""What a notebook sees of the grader: check, compare, hint, solution and progress. Standard library only."""

from grader.notebook.check import check
from grader.notebook.compare import compare
from grader.notebook.help import hint, solution
from grader.notebook.progress_file import progress

__all__ = ["check", "compare", "hint", "progress", "solution"]
