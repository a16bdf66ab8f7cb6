"""Drops the answer where there is a call, in place of refusing.

rejected by: both at once are refused
must say: no exception
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call is None and self.answer is None:
            raise ValueError("got neither")
        if self.tool_call is not None:
            object.__setattr__(self, "answer", None)
