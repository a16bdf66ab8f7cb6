"""Leaves `frozen=True` away.

rejected by: a decision stays what it was
must say: can be made to hold both
"""

@dataclass
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("got both")
        if self.tool_call is None and self.answer is None:
            raise ValueError("got neither")
