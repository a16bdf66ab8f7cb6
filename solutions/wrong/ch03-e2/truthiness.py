"""Asks with `if` whether the two are there, so an empty answer is none.

rejected by: an empty answer is an answer
must say: neither
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call and self.answer:
            raise ValueError("got both")
        if not self.tool_call and not self.answer:
            raise ValueError("got neither")
