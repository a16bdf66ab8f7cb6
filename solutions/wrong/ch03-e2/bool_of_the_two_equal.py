"""Compares the truth of the two, which is the same slip in one line.

rejected by: an empty answer is an answer
must say: neither
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if bool(self.tool_call) == bool(self.answer):
            raise ValueError("both" if self.tool_call else "neither")
