"""Sorts without regard to upper and lower case.

rejected by: the options are shown sorted, from whatever collection they come
must say: cannot be compared
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options, key=str.lower)) or 'none'})"
        super().__init__(message)
