"""Takes an empty value in place of a call for no call.

rejected by: an empty value in place of a call is a call
must say: got neither
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("a decision is a tool call or an answer, got both")
        if not self.tool_call and self.answer is None:
            raise ValueError("a decision is a tool call or an answer, got neither")
