"""Asks with `if` where both are looked for: an empty answer beside a call passes.

rejected by: both are refused also where one of them is empty
must say: an empty answer beside a call
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call and self.answer:
            raise ValueError("got both")
        if self.tool_call is None and self.answer is None:
            raise ValueError("got neither")
