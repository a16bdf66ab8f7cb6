"""Takes a call and an answer at once.

rejected by: both at once are refused
must say: which of the two was meant
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call is None and self.answer is None:
            raise ValueError("got neither")
