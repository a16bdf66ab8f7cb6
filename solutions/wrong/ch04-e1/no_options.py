"""Leaves the options out of the message.

rejected by: the options are shown sorted, from whatever collection they come
must say: (have: 
"""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        if isinstance(options, str):
            raise TypeError("options must be a collection of names")
        super().__init__(tool if problem is None else f"{tool}: {problem}")
