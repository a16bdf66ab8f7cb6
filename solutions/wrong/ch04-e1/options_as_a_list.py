"""Shows the options as Python shows a list.

rejected by: the options are shown sorted, from whatever collection they come
must say: (have: [
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options:
            message += f" (have: {sorted(options)})"
        super().__init__(message)
