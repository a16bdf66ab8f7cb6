"""Takes a decision that decides nothing.

rejected by: neither is refused
must say: a turn for nothing
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("got both")
