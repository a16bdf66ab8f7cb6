"""Is a ValueError.

rejected by: `except Exception` catches it, and no narrower clause of Python's own does
must say: caught with the defects
"""

class ToolError(ValueError):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)
