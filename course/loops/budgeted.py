"""The budgeted loop: every turn and every call is a record in a hash-chained transcript, and every exit is named.

The ladder of stops, first rung first. Before a turn: `killed`, `cost_budget`, `step_budget`. The model is asked:
`model_error`. The turn is recorded, then: `sentinel`, `no_tool_calls`, `token_budget`. Before each attempt at a tool:
`killed`, `cost_budget`. After each call: `too_many_failures`, and `tool_defect` where the policy lets defects through.

Only `no_tool_calls` and `sentinel` carry an answer. The loop reads no clock and draws no random number: the transcript
is a function of task, model, tools, budgets and policy, so two runs are equal byte for byte.

| record | payload |
|---|---|
| `task` | `task`, `manifest`, `budgets` |
| `assistant` | `text`, `tool_calls` (each `name`, `args`), `tokens` |
| `tool` | `name`, `args`, `attempt` (from 1), `ok`, and `result`, or `error` with `late: true` when it came too late |
| `stop` | `reason`, `detail`, `answer`, `steps`, `calls`, `tokens`, `cost` |
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Protocol

from course.budgets import Budgets as Budgets  # part of this module's public names
from course.models import Message, Model, ModelReply, ToolCall
from course.retries import FailurePolicy, Outcome, attempt_call, text_of
from course.tools import ToolRegistry
from course.transcript import Recorder, Transcript, UnserialisableError


class KillSwitch(Protocol):
    """A `threading.Event`, or anything else that can be asked whether it is set."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Stop:
    """How a run ended.

    reason: the rung of the ladder; detail: why, for a reader. answer: None unless the reason carries one.
    steps: assistant records. calls: attempts at a tool. tokens: the estimate. cost: what was spent, in Budgets' coin.
    """

    reason: str
    detail: str
    answer: str | None
    steps: int
    calls: int
    tokens: int
    cost: int


def run(
    task: str,
    model: Model,
    tools: ToolRegistry,
    budgets: Budgets | None = None,
    *,
    policy: FailurePolicy | None = None,
    transcript: Recorder | None = None,
    kill: KillSwitch | None = None,
) -> Stop:
    """Work on `task` until one of the stops, writing every turn and call to `transcript` as it happens.

    model: called as model(messages, manifest), with copies; what it raises, short of KeyboardInterrupt, is a stop.
    transcript: takes the records; left out, they are kept nowhere. kill: looked at before each model call and attempt.
    Raises UnserialisableError for a task that JSON cannot hold, and a tool's own exception when the policy says so.
    """
    budgets, policy = budgets or Budgets(), policy or FailurePolicy()
    log = _Log(task, tools, budgets, policy, Transcript() if transcript is None else transcript, kill)
    while True:
        if shut := log.closed() or log.out_of_steps():
            return log.stop(*shut)
        reply = log.ask(model)
        if isinstance(reply, str):
            return log.stop("model_error", reply)
        if budgets.stop_sentinel is not None and budgets.stop_sentinel in reply.text:
            return log.stop("sentinel", answer=reply.text)
        if not reply.tool_calls:
            return log.stop("no_tool_calls", answer=reply.text)
        if budgets.max_tokens is not None and log.tokens > budgets.max_tokens:
            return log.stop("token_budget", f"an estimated {log.tokens} tokens, and the budget is {budgets.max_tokens}")
        for call in reply.tool_calls:
            if shut := log.call(call):
                return log.stop(*shut)


def estimate_tokens(text: str) -> int:
    """About four characters to a token, and never 0. It bounds the loop; it is not a bill."""
    return max(1, len(text) // 4)


Shut = tuple[str, str]  # a stop's reason and its detail


class _Log:
    """The run so far: its counters, the messages that the model is shown, and the records of both."""

    def __init__(
        self,
        task: str,
        tools: ToolRegistry,
        budgets: Budgets,
        policy: FailurePolicy,
        transcript: Recorder,
        kill: KillSwitch | None,
    ) -> None:
        self.tools, self.budgets, self.policy, self.kill = tools, budgets, policy, kill
        self.steps = self.calls = self.tokens = self.cost = self.failed_in_a_row = 0
        self.append = transcript.append
        self.append("task", {"task": task, "manifest": tools.manifest(), "budgets": asdict(budgets)})
        self.messages: list[Message] = [{"role": "user", "content": task}]

    def closed(self) -> Shut | None:
        """What forbids the next model call and the next attempt alike."""
        if self.kill is not None and self.kill.is_set():
            return "killed", "the kill switch was set"
        if self.budgets.max_cost is not None and self.cost >= self.budgets.max_cost:
            return "cost_budget", f"{self.cost} spent, and the budget is {self.budgets.max_cost}"
        return None

    def out_of_steps(self) -> Shut | None:
        if self.steps >= self.budgets.max_steps:
            return "step_budget", f"{self.steps} turns taken, and the budget is {self.budgets.max_steps}"
        return None

    def ask(self, model: Model) -> ModelReply | str:
        """One assistant turn, recorded; or a sentence about why there is none."""
        self.cost += self.budgets.turn_price  # billed first: a reply that is of no use was paid for as well
        try:
            reply: object = model(deepcopy(self.messages), self.tools.manifest())
        except Exception as error:
            return f"{type(error).__name__}: {text_of(error)}"
        if not isinstance(reply, ModelReply):
            return f"expected a ModelReply, got {type(reply).__name__}"
        calls = [{"name": call.name, "args": call.args} for call in reply.tool_calls]
        tokens = estimate_tokens(reply.text)
        try:
            turn = self.append("assistant", {"text": reply.text, "tool_calls": calls, "tokens": tokens})["payload"]
        except UnserialisableError as error:
            return f"the reply cannot be recorded: {error}"
        self.steps, self.tokens = self.steps + 1, self.tokens + tokens
        self.messages.append({"role": "assistant", "content": turn["text"], "tool_calls": turn["tool_calls"]})
        return reply

    def call(self, call: ToolCall) -> Shut | None:
        """Run one call, with the attempts that the policy allows; what stops the run, or None."""
        for attempt in count(1):
            if shut := self.closed():
                return shut
            outcome = self.attempt(call, attempt)
            if not self.policy.retry.again(self.tools, call, outcome, attempt):
                break
        told = outcome.result if outcome.ok else outcome.error
        self.messages.append({"role": "tool", "name": call.name, "ok": outcome.ok, "content": deepcopy(told)})
        if outcome.defect is not None and self.policy.on_defect == "raise":
            self.stop("tool_defect", str(outcome.error))
            raise outcome.defect
        self.failed_in_a_row = 0 if outcome.ok else self.failed_in_a_row + 1
        if self.policy.stop_after is not None and self.failed_in_a_row >= self.policy.stop_after:
            return "too_many_failures", f"{self.failed_in_a_row} failed calls in a row, the last one: {outcome.error}"
        return None

    def attempt(self, call: ToolCall, attempt: int) -> Outcome:
        self.calls, self.cost = self.calls + 1, self.cost + self.budgets.call_price
        outcome = attempt_call(self.tools, call, self.policy.timeouts)
        try:
            self.append("tool", _tool_payload(call, attempt, outcome))
        except UnserialisableError as error:  # JSON can hold the result, and a record cannot: too deep or too long
            outcome = Outcome(ok=False, error=f"tool {call.name!r} returned what a record cannot hold: {error}")
            self.append("tool", _tool_payload(call, attempt, outcome))
        return outcome

    def stop(self, reason: str, detail: str = "", answer: str | None = None) -> Stop:
        stop = Stop(reason, detail, answer, self.steps, self.calls, self.tokens, self.cost)
        self.append("stop", asdict(stop))
        return stop


def _tool_payload(call: ToolCall, attempt: int, outcome: Outcome) -> dict[str, Any]:
    payload: dict[str, Any] = {"name": call.name, "args": call.args, "attempt": attempt, "ok": outcome.ok}
    if outcome.ok:
        return {**payload, "result": outcome.result}
    return {**payload, "error": outcome.error, **({"late": True} if outcome.late else {})}
