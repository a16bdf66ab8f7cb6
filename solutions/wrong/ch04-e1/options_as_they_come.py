"""Shows the options in the order in which they come.

rejected by: the options are shown sorted, from whatever collection they come
must say: reads differently each time
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(options) or 'none'})"
        super().__init__(message)
