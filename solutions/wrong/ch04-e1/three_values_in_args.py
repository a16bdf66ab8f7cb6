"""Hands all three values to Exception and writes the message in `__str__`.

rejected by: made again from its `args`, it says the same
must say: copy and pickle
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        super().__init__(tool, problem, options)
        self.tool, self.problem, self.options = tool, problem, options

    def __str__(self):
        message = self.tool if self.problem is None else f"{self.tool}: {self.problem}"
        if self.options is None:
            return message
        return f"{message} (have: {', '.join(sorted(self.options)) or 'none'})"
