"""A plain class with read-only properties."""

class Decision:
    __slots__ = ("_thought", "_tool_call", "_answer")

    def __init__(self, thought, tool_call=None, answer=None):
        if (tool_call is None) is (answer is None):
            raise ValueError("neither" if answer is None else "both")
        self._thought, self._tool_call, self._answer = thought, tool_call, answer

    @property
    def thought(self):
        return self._thought

    @property
    def tool_call(self):
        return self._tool_call

    @property
    def answer(self):
        return self._answer
