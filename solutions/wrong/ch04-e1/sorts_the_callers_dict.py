"""Sorts the dict that it was given, in place.

rejected by: the options that were handed over stay as they were
must say: keeps its order
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if isinstance(options, dict):
            for name in sorted(options):
                options[name] = options.pop(name)
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)
