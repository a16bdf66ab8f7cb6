"""Takes the options out of the set that it was given.

rejected by: the options that were handed over stay as they were
must say: belongs to the tool
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if isinstance(options, set):
            options = [options.pop() for _ in range(len(options))]
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)
