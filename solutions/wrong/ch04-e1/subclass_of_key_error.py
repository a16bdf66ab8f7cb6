"""Is a KeyError, which shows its text in quotes.

rejected by: the message is the tool's name and the problem
must say: in words without quotes
"""

class ToolError(KeyError):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)
