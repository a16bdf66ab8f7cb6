"""Sets `args` itself and never calls Exception.__init__."""

class ToolError(Exception):
    def __init__(self, tool, problem=None, options=None):
        text = ": ".join([tool] if problem is None else [tool, problem])
        if type(options) is str:
            raise TypeError(options)
        if options is not None:
            listed = list(options)
            listed.sort()
            text = "%s (have: %s)" % (text, ", ".join(listed or ["none"]))
        self.args = (text,)
