"""When a tool fails: the failure as data, who may try again, when an answer comes too late, and when to give up.

Three loops, three policies, and a loop says which it has: stop at once (`course.loops.receipts`), feed the failure back
to the model (the budgeted loop, unless told otherwise), or feed it back and stop after so many in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from course.calls import call_tool
from course.errors import ToolError, UnavailableError
from course.models import ToolCall
from course.tools import ToolRegistry

LONGEST_ERROR = 2000  # characters of an exception's text that are kept


@dataclass(frozen=True)
class Outcome:
    """What became of one attempt at one call.

    result: what the tool returned, when `ok`. error: why there is none, when not.
    late: it returned after its time was up; the result is dropped. retryable: the same call may fare better.
    defect: the exception, when the tool raised something that is no ToolError.
    """

    ok: bool
    result: Any = None
    error: str | None = None
    late: bool = False
    retryable: bool = False
    defect: Exception | None = None


@dataclass(frozen=True)
class Timeouts:
    """How long each tool may take: `limits` in seconds by tool name, measured on `clock`, afresh for every attempt.

    A Python function cannot be interrupted safely, so a slow tool is not cut off: its late answer is marked, not used.
    """

    limits: Mapping[str, float]
    clock: Callable[[], float]


@dataclass(frozen=True)
class Retry:
    """Try again, at most `attempts` times in all, when the tool is idempotent and the failure may pass.

    sleep: called with the seconds to wait, `pause` before the second attempt and twice as long before each later one.
    """

    attempts: int
    sleep: Callable[[float], object]
    pause: float = 1.0

    def again(self, tools: ToolRegistry, call: ToolCall, outcome: Outcome, attempt: int) -> bool:
        """Whether to try again after `attempt` (from 1) ended in `outcome`; has waited when it returns True."""
        if not outcome.retryable or attempt >= self.attempts:
            return False
        if call.name not in tools or not tools.get(call.name).idempotent:
            return False
        self.sleep(self.pause * 2 ** (attempt - 1))
        return True


@dataclass(frozen=True)
class FailurePolicy:
    """What a loop does about failing tools.

    stop_after: give up after so many failed calls in a row, unknown names and refused arguments among them; a call that
        succeeds starts the count again, and one that was retried counts once. None: never.
    on_defect: an exception that is no ToolError is a mistake in a tool. "record" makes it a failure like any other;
        "raise" records it too, and then lets it through to where somebody can see it.
    """

    stop_after: int | None = None
    on_defect: Literal["record", "raise"] = "record"
    retry: Retry = field(default_factory=lambda: Retry(attempts=1, sleep=lambda seconds: None))
    timeouts: Timeouts | None = None


def attempt_call(tools: ToolRegistry, call: ToolCall, timeouts: Timeouts | None = None) -> Outcome:
    """Run one call once. Whatever goes wrong, short of KeyboardInterrupt and its kin, becomes an Outcome."""
    limit = timeouts.limits.get(call.name) if timeouts else None
    started = timeouts.clock() if timeouts and limit is not None else 0.0
    try:
        result = call_tool(tools, call.name, call.args)
    except ToolError as error:
        return Outcome(ok=False, error=text_of(error), retryable=isinstance(error, UnavailableError))
    except Exception as error:
        reason = f"tool {call.name!r} raised {type(error).__name__}: {text_of(error)}"
        return Outcome(ok=False, error=reason, defect=error)
    if timeouts and limit is not None and (took := timeouts.clock() - started) > limit:
        reason = f"tool {call.name!r} answered after {took:g} s, and its limit is {limit:g} s"
        return Outcome(ok=False, error=reason, late=True, retryable=True)
    return Outcome(ok=True, result=result)


def text_of(error: BaseException) -> str:
    """An exception's message as text that can be recorded: valid Unicode, at most LONGEST_ERROR characters."""
    try:
        text = str(error)
    except Exception:  # an exception whose own __str__ fails still has to be reported
        text = "(it has no readable message)"
    return text[:LONGEST_ERROR].encode("utf-8", "backslashreplace").decode("utf-8")
