"""Treats empty options like none at all.

rejected by: no options add nothing, and empty ones say `none`
must say: is worth knowing
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options:
            message += f" (have: {', '.join(sorted(options))})"
        super().__init__(message)
