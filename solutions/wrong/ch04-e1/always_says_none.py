"""Says `have: none` also where no options were given.

rejected by: the message is the tool's name and the problem
must say: expected
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        super().__init__(f"{message} (have: {', '.join(sorted(options or [])) or 'none'})")
