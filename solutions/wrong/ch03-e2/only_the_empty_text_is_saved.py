"""Saves the empty answer and forgets that an empty call is there too.

rejected by: both are refused also where one of them is empty
must say: what is not None is there
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        called, answered = bool(self.tool_call), self.answer is not None
        if called and answered:
            raise ValueError("got both")
        if not called and not answered:
            raise ValueError("got neither")
