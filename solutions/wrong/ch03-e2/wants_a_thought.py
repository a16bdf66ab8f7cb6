"""Refuses a decision without a thought.

rejected by: what was said stays to the letter, and there may be no thought
must say: a decision has a thought
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("a decision is a tool call or an answer, got both")
        if self.tool_call is None and self.answer is None:
            raise ValueError("a decision is a tool call or an answer, got neither")
        if not self.thought:
            raise ValueError("a decision has a thought")
