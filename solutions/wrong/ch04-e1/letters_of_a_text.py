"""Takes one text for a collection of its letters.

rejected by: one text as options is a mistake, and is refused
must say: helps nobody
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)
