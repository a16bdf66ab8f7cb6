"""The verified loop (session 8): think -> verify -> act -> observe and score, and every step is in the trace.

A step is one decision. Blocked, unknown, failed or answered, it uses up one of `max_steps`: there are no free retries.
The run ends as `completed` (an answer that no verifier blocked), `failed` (too many failures in a row), `killed` or
`budget_exhausted`; and whatever ends it, Ctrl+C and a crash included, the last record of the trace is its `run_end`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from types import NoneType
from typing import Any, Protocol

from course.calls import call_tool
from course.errors import ToolError
from course.jsonable import why_not_json
from course.models import Decision, LLMClient, Message, ToolCall
from course.retries import text_of
from course.tools import ToolRegistry
from course.trace import Record, Sink, Status, Trace, mean_score
from course.verifiers import Judgment, Phase, StepContext, Verifier, default_verifiers

Observation = dict[str, Any]
Clock = Callable[[], int | float]


class KillSwitch(Protocol):
    """A `threading.Event`, or anything else that can be asked whether it is set."""

    def is_set(self) -> bool: ...


class OutOfBudgetError(Exception):
    """A model client raises it instead of making a call that it may not pay for: the run ends as budget_exhausted."""


@dataclass(frozen=True)
class Run:
    """How a run ended; the same five values stand in its `run_end`.

    answer: None unless completed. steps_used: step records. mean_score: over all judgments, None where there were none.
    error: why a crash, or a client that may spend no more, ended it.
    """

    status: Status
    answer: str | None
    steps_used: int
    mean_score: float | None
    error: str | None


def run(
    task: str,
    llm: LLMClient,
    tools: ToolRegistry,
    verifiers: Sequence[Verifier] | None = None,
    *,
    max_steps: int = 8,
    max_failures: int | None = 3,
    kill: KillSwitch | None = None,
    trace: Sink | None = None,
    clock: Clock | None = None,
) -> Run:
    """Work on `task` until it is answered or something else ends the run, writing each step to `trace` as it happens.

    llm: called as llm(task, history), with a copy; history holds a `{"decision", "observation"}` for each step so far.
    verifiers: left out, `schema` and `budget`. max_failures: failed, unknown and blocked steps in a row that end the
    run, None for never; a call that succeeds starts the count again. kill: looked at before each model and tool call.
    clock: what `ts` is read from, a counter when left out; a live run hands in a real one.

    Raises ValueError for a task or limit that cannot be used, before anything is written. Whatever else is raised on
    the way, by model, verifier or tool, is a defect: it is recorded and raised again. So is KeyboardInterrupt.
    """
    _check(task, max_steps, max_failures)
    book = _Book(task, max_steps, default_verifiers(tools) if verifiers is None else verifiers, trace, clock)
    killed = kill.is_set if kill is not None else lambda: False
    try:
        while True:
            if killed():
                return book.end("killed")
            if max_failures is not None and book.failed_in_a_row >= max_failures:
                return book.end("failed")
            if book.step >= max_steps:
                return book.end("budget_exhausted")
            try:
                decision = book.think(llm)
            except OutOfBudgetError as stop:
                return book.end("budget_exhausted", error=text_of(stop))
            reasons = book.verify()
            if reasons:
                book.observe({"ok": False, "content": "blocked: " + "; ".join(reasons)})
            elif decision.tool_call is None:
                book.observe(None)
                return book.end("completed", decision.answer)
            else:
                book.observe(None if killed() else book.act(tools, decision.tool_call))
    except BaseException as defect:
        book.crash(defect)
        raise


class _Book:
    """The run so far: what the model is shown, what the trace is given, and the step in hand."""

    def __init__(
        self, task: str, max_steps: int, verifiers: Sequence[Verifier], trace: Sink | None, clock: Clock | None
    ) -> None:
        self.task, self.max_steps, self.verifiers = task, max_steps, verifiers
        self.sink: Sink = Trace() if trace is None else trace
        self.clock: Clock = count().__next__ if clock is None else clock
        self.steps: list[Record] = []
        self.failed_in_a_row = 0
        self.decision: Decision | None = None  # of the step in hand: made, and not yet recorded
        self.judgments: list[dict[str, Any]] = []
        self.seen: Observation | None = None  # of the step in hand, for whoever interrupts it
        self.ended = False
        self.write({"type": "run_start", "task": task, "max_steps": max_steps})

    @property
    def step(self) -> int:
        return len(self.steps)

    def write(self, record: Record) -> None:
        self.sink.write({**record, "ts": self.clock()})

    def think(self, llm: LLMClient) -> Decision:
        decision: object = llm(self.task, self.history())
        if not isinstance(decision, Decision):
            raise TypeError(f"a model decides with a Decision, got {type(decision).__name__}")
        if not isinstance(decision.thought, str) or not isinstance(decision.answer, (str, NoneType)):
            raise TypeError("a decision's thought and its answer are texts")
        if problem := why_not_json(_plain(decision), "decision"):
            raise ValueError(f"the decision cannot be recorded: {problem}")
        self.decision, self.judgments, self.seen = deepcopy(decision), [], None
        return decision

    def verify(self) -> list[str]:
        """Ask every pre-act verifier; the reasons of those that failed."""
        return [judgment.reason for judgment in self.judge("pre_act", None) if not judgment.passed]

    def act(self, tools: ToolRegistry, call: ToolCall) -> Observation:
        self.seen = {"ok": False, "content": "the call began, and what became of it is not known"}
        try:
            self.seen = {"ok": True, "content": call_tool(tools, call.name, call.args)}
        except ToolError as error:
            self.seen = {"ok": False, "content": text_of(error)}
        except Exception as defect:
            self.seen = {"ok": False, "content": f"tool {call.name!r} raised {_said(defect)}"}
            raise
        return self.seen

    def observe(self, observation: Observation | None) -> None:
        """Let the post-act verifiers score the step, and record it."""
        self.judge("post_act", observation)
        self.record(observation)
        if observation is not None:
            self.failed_in_a_row = 0 if observation["ok"] else self.failed_in_a_row + 1

    def judge(self, phase: Phase, observation: Observation | None) -> list[Judgment]:
        judgments = []
        for verifier in self.verifiers:
            if verifier.phase != phase:
                continue
            judgment: object = verifier.judge(self.context(observation))
            if not isinstance(judgment, Judgment):
                raise TypeError(f"verifier {verifier.name!r} returned {type(judgment).__name__}, not a Judgment")
            judgments.append(judgment)
            self.judgments.append(
                {
                    "verifier": verifier.name,
                    "phase": phase,
                    "score": judgment.score,
                    "passed": judgment.passed,
                    "reason": judgment.reason,
                }
            )
        return judgments

    def context(self, observation: Observation | None) -> StepContext:
        assert self.decision is not None
        return StepContext(
            self.task, self.step, self.max_steps, deepcopy(self.decision), deepcopy(observation), self.history()
        )

    def history(self) -> list[Message]:
        return [{"decision": _copy(step["decision"]), "observation": _copy(step["observation"])} for step in self.steps]

    def record(self, observation: Observation | None) -> None:
        assert self.decision is not None
        step = {
            "type": "step",
            "step": self.step,
            "decision": _plain(self.decision),
            "judgments": self.judgments,
            "observation": observation,
        }
        self.decision = None
        self.steps.append(_copy(step))
        self.write(step)

    def end(self, status: Status, answer: str | None = None, error: str | None = None) -> Run:
        self.ended = True  # first: a write that fails half-way must not be followed by a second run_end
        ended = Run(status, answer, self.step, mean_score(self.steps), error)
        self.write(
            {
                "type": "run_end",
                "status": status,
                "answer": answer,
                "steps_used": ended.steps_used,
                "mean_score": ended.mean_score,
                "error": error,
            }
        )
        return ended

    def crash(self, defect: BaseException) -> None:
        """Record the step in hand and the end. The defect is the news; a trace that cannot be written is not."""
        interrupted = isinstance(defect, KeyboardInterrupt)
        said = "interrupted" if interrupted else _said(defect)
        with suppress(Exception):
            if self.decision is not None:
                self.record(self.seen)
        with suppress(Exception):
            if not self.ended:
                self.end("killed" if interrupted else "failed", error=said)


def _said(defect: BaseException) -> str:
    return f"{type(defect).__name__}: {text_of(defect)}"


def _plain(decision: Decision) -> dict[str, Any]:
    call = decision.tool_call
    asked = None if call is None else {"tool": call.name, "args": call.args}
    return {"thought": decision.thought, "tool_call": asked, "answer": decision.answer}


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _check(task: str, max_steps: int, max_failures: int | None) -> None:
    if not isinstance(task, str) or why_not_json(task):
        raise ValueError("a task is a text that can be recorded")
    if type(max_steps) is not int or max_steps < 0:
        raise ValueError(f"max_steps is a whole number from 0, got {max_steps!r}")
    if max_failures is not None and (type(max_failures) is not int or max_failures < 1):
        raise ValueError(f"max_failures is a whole number from 1, or None for never, got {max_failures!r}")
