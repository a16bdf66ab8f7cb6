"""What a verifier is shown and what it says: `StepContext`, `Judgment`, and a verifier made of a function.

Records alone, so that whoever writes verifiers needs none of ours; those are in `course.verifiers`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from course.jsonable import why_not_json
from course.models import Decision, Message

Phase = Literal["pre_act", "post_act"]


@dataclass(frozen=True)
class Judgment:
    """What one verifier says of one step.

    score: 0 (worst) to 1. passed: False, said before the act, blocks the step. reason: a sentence, for the model too.
    Raises ValueError for a score outside [0, 1] or a reason that cannot be recorded.
    """

    score: float
    passed: bool
    reason: str

    def __post_init__(self) -> None:
        number = isinstance(self.score, (int, float)) and not isinstance(self.score, bool)
        if not number or not math.isfinite(self.score) or not 0 <= self.score <= 1:
            raise ValueError(f"a score is a number from 0 to 1, got {self.score!r}")
        if not isinstance(self.passed, bool):
            raise ValueError(f"passed is True or False, got {self.passed!r}")
        if not isinstance(self.reason, str) or why_not_json(self.reason):
            raise ValueError(f"a reason is a text that can be recorded, got {self.reason!r}")


@dataclass(frozen=True)
class StepContext:
    """What a verifier is shown: copies, so that whatever it does to them reaches neither the run nor its trace.

    step: from 0. observation: `{"ok", "content"}`, or None before the act, on an answer, and where nothing ran.
    history: the earlier steps, each `{"decision": …, "observation": …}` in the shapes of the trace.
    """

    task: str
    step: int
    max_steps: int
    decision: Decision
    observation: dict[str, Any] | None
    history: list[Message]


class Verifier(Protocol):
    """A name for the trace, the phase in which it is asked, and its judgment."""

    @property
    def name(self) -> str: ...

    @property
    def phase(self) -> Phase: ...

    def judge(self, ctx: StepContext) -> Judgment: ...


@dataclass(frozen=True)
class NamedVerifier:
    """A verifier made of a function: `judge` is called with a `StepContext` and returns a `Judgment`."""

    name: str
    phase: Phase
    judge: Callable[[StepContext], Judgment]
