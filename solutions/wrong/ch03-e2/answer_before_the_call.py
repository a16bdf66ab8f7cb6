"""Has the fields in another order.

rejected by: a call alone is a decision, and so is an answer alone
must say: expected None
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    answer: str | None = None
    tool_call: ToolCall | None = None

    def __post_init__(self):
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("a decision is a tool call or an answer, got both")
        if self.tool_call is None and self.answer is None:
            raise ValueError("a decision is a tool call or an answer, got neither")
