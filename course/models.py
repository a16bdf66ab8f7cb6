"""A model is a callable: what it may answer (`ModelReply`, `Decision`) and models that follow a script.

Two shapes, as the two loops want them: `(messages, manifest) -> ModelReply` for the budgeted loop, where a turn may ask
for several tools, and `(task, history) -> Decision` for the verified loop, where a decision is one call or one answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

Message = dict[str, Any]
Manifest = list[dict[str, Any]]


@dataclass(frozen=True)
class ToolCall:
    """One tool asked for: its name, and its arguments by name."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelReply:
    """One assistant turn: its text, and the tools that it asks for, in the order in which they are to run."""

    text: str
    tool_calls: Sequence[ToolCall] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f'a reply\'s text is a str, got {type(self.text).__name__}; no text is ""')
        object.__setattr__(self, "tool_calls", tuple(self.tool_calls))
        for call in self.tool_calls:
            if not isinstance(call, ToolCall):
                raise TypeError(f"a reply asks for tools with ToolCall, got {type(call).__name__}")


@dataclass(frozen=True)
class Decision:
    """One decision: a thought, and exactly one of a tool call and an answer. `""` is an answer; None is none.

    Raises ValueError when both are there, or neither.
    """

    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self) -> None:
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("a decision is a tool call or an answer, got both")
        if self.tool_call is None and self.answer is None:
            raise ValueError("a decision is a tool call or an answer, got neither")


class Model(Protocol):
    """What the budgeted loop calls once a turn."""

    def __call__(self, messages: list[Message], manifest: Manifest) -> ModelReply: ...


class LLMClient(Protocol):
    """What the verified loop calls once a step."""

    def __call__(self, task: str, history: list[Message]) -> Decision: ...


class ScriptExhaustedError(RuntimeError):
    """A scripted model was called once more than its script has replies: the script is short, or the loop too long."""


Reply = TypeVar("Reply")
Self = TypeVar("Self", bound="_Script[Any]")


class _Script(Generic[Reply]):
    """Replies in order, once each. The place in the script is all the state there is."""

    def __init__(self, replies: Iterable[Reply]) -> None:
        self._replies = deepcopy(list(replies))
        self._used = 0

    def fresh(self: Self) -> Self:
        """Return the same script, at its beginning."""
        return type(self)(self._replies)

    def _next(self) -> Reply:
        if self._used == len(self._replies):
            raise ScriptExhaustedError(
                f"the script has {len(self._replies)} replies and was asked for one more; "
                "add a reply, or look at why the loop did not stop"
            )
        self._used += 1
        # A copy: arguments that a tool changes must not change the script.
        return deepcopy(self._replies[self._used - 1])


class ScriptedModel(_Script[ModelReply]):
    """`(messages, manifest) -> ModelReply`, from a script. It reads neither argument and changes neither.

    Raises ScriptExhaustedError when it is called again after its last reply.
    """

    def __call__(self, messages: list[Message], manifest: Manifest) -> ModelReply:
        return self._next()


class FakeLLM(_Script[Decision]):
    """`(task, history) -> Decision`, from a script. It reads neither argument and changes neither.

    Raises ScriptExhaustedError when it is called again after its last decision.
    """

    def __call__(self, task: str, history: list[Message]) -> Decision:
        return self._next()


class ReplyError(ValueError):
    """A text reply that is not one decision. The message says what was expected, so it can be fed back to the model."""


_OBSERVATION = re.compile(r"^[ \t]*Observation:", re.MULTILINE)
_LABEL = re.compile(r"^[ \t]*(Thought|Action|Answer):[ \t]*", re.MULTILINE)
_FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n[ \t]*```\s*", re.DOTALL)


def parse_reply(text: str) -> Decision:
    """Return the decision that a model wrote as text.

    ```
    Thought: the index will know.
    Action: {"tool": "list_documents", "args": {"tag": "retrieval"}}
    ```
    or `Answer: …` instead of the action, to the end of the text. The thought may be left out, and the JSON may stand in
    a ```json fence. Everything from the first line that begins with `Observation:` is dropped: an observation is what a
    tool returned, and one that a model wrote is made up.

    Raises ReplyError for text that holds no action and no answer, or more than one, and for an action that is not one
    JSON object with exactly the keys `tool` and `args`.
    """
    own = _OBSERVATION.split(text, maxsplit=1)[0]
    parts = _LABEL.split(own)  # what stands before the first label, then label, content, label, content, ...
    said = list(zip(parts[1::2], parts[2::2], strict=True))
    thought = next((content.strip() for label, content in said if label == "Thought"), "")
    decided = [(label, content) for label, content in said if label != "Thought"]
    if len(decided) != 1:
        raise ReplyError(f"expected one line that begins with Action: or Answer:, got {len(decided)}")
    label, content = decided[0]
    if label == "Answer":
        return Decision(thought, answer=content.strip())
    return Decision(thought, tool_call=_parse_action(content))


def _parse_action(content: str) -> ToolCall:
    fenced = _FENCE.fullmatch(content)
    try:
        action = parse_json(fenced[1] if fenced else content)
    except (ValueError, RecursionError) as error:
        raise ReplyError(f"expected one JSON object after Action: ({error})") from error
    if not isinstance(action, dict) or action.keys() != {"tool", "args"}:
        raise ReplyError('expected an action with exactly the keys "tool" and "args"')
    if not isinstance(action["tool"], str) or not isinstance(action["args"], dict):
        raise ReplyError('expected "tool" to be a string and "args" to be an object')
    return ToolCall(action["tool"], action["args"])


def parse_json(text: str) -> Any:
    """The value of a JSON text that a model wrote. Raises ValueError where it is none, repeats a key, or holds NaN."""
    return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key is there twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
