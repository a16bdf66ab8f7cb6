"""Keeps tool, problem and options beside the message, below a class of its own."""

class CourseError(Exception):
    """What all errors of this course have in common."""


class ToolError(CourseError):
    def __init__(self, tool, problem=None, options=None, *, hint=""):
        if isinstance(options, (str, bytes)):
            raise TypeError("a collection, please")
        self.tool = tool
        self.problem = problem
        self.options = None if options is None else sorted(options)
        parts = [tool] if problem is None else [f"{tool}: {problem}"]
        if self.options is not None:
            parts.append("(have: " + (", ".join(self.options) if self.options else "none") + ")")
        if hint:
            parts.append(hint)
        super().__init__(" ".join(parts))
