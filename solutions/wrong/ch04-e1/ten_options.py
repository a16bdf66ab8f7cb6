"""Shows ten options at most.

rejected by: the options are shown sorted, from whatever collection they come
must say: hides what is missing
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options)[:10]) or 'none'})"
        super().__init__(message)
