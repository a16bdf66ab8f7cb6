"""Uses `assert`, which is no ValueError and is gone under `python -O`.

rejected by: both at once are refused
must say: AssertionError
"""

@dataclass(frozen=True)
class Decision:
    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        assert self.tool_call is None or self.answer is None, "both"
        assert self.tool_call is not None or self.answer is not None, "neither"
