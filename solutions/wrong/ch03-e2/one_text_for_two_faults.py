"""Says the same sentence whichever fault it was.

rejected by: neither is refused
must say: with 'neither' in its text
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if (self.tool_call is None) == (self.answer is None):
            raise ValueError("got both or none")
