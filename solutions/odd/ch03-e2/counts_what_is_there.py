"""Counts what is there, and looks the sentence up."""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        there = [self.tool_call, self.answer].count(None)
        problem = {0: "both a call and an answer", 2: "neither a call nor an answer"}.get(there)
        if problem:
            raise ValueError(problem)
