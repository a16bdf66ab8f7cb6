"""A live model for the verified loop: any server that speaks OpenAI's chat completions, with a hard cap on its cost.

`LiveLLM(…)` is an `LLMClient`: OpenAI, OpenRouter, Ollama, vLLM, llama.cpp. One call asks for one decision. Nothing is
tried again behind the loop's back, because a hidden attempt would be a cost that no trace shows.

| the reply holds | the decision |
|---|---|
| a tool call, with or without text | that call; the text is the thought |
| several tool calls | the first; the thought says how many were left out, and the model may ask for them again |
| arguments that are no JSON | the call with the raw text as its arguments, which no schema lets through |
| text | an answer, `""` too |
| neither, or a text that was cut off | ReplyError: no decision |

Needs the `openai` library: pip install 'trusted-agent-course[live]'. The course, its checks and its tests need no key.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from course.jsonable import why_not_json
from course.loops.verified import OutOfBudgetError
from course.models import Decision, LLMClient, Message, ReplyError, ToolCall, parse_json
from course.tools import ToolRegistry

OPENAI = "https://api.openai.com/v1"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
INSTRUCTIONS = (
    "Work on the task one step at a time. In each turn either call exactly one tool or give the final answer as plain "
    "text. Take facts and numbers from tool results only. If the tools cannot settle it, say so in the answer."
)

_HINTS: Mapping[int, str] = {
    401: "the key was refused; look at the environment variable that holds it",
    403: "the key may not use this model",
    404: "no such address or model there; look at the base URL and the model's name",
    408: "the server gave up waiting; try again later",
    429: "too many requests, or no credit left; wait, or look at the account",
}


class LiveError(RuntimeError):
    """A model call that gave no reply: what happened and what to do. It never holds the key."""


class UnknownPriceError(LiveError):
    """What a call cost cannot be known, so a cap on the cost would mean nothing."""


class CostCapError(OutOfBudgetError):
    """The cap is reached; no call was made."""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens, in and out. `Price(0, 0)` for a model that runs on your own machine."""

    per_million_in: Decimal | int | float | str
    per_million_out: Decimal | int | float | str

    def __post_init__(self) -> None:
        for amount in (self.per_million_in, self.per_million_out):
            if not (Decimal(str(amount)).is_finite() and Decimal(str(amount)) >= 0):
                raise ValueError(f"a price is a number from 0, got {amount!r}")

    def of(self, tokens_in: int, tokens_out: int) -> Decimal:
        each = Decimal(str(self.per_million_in)) * tokens_in + Decimal(str(self.per_million_out)) * tokens_out
        return each / 1_000_000

    @property
    def is_free(self) -> bool:
        return self.of(1, 1) == 0


@dataclass(frozen=True)
class ModelCall:
    """One call to the model. tokens_in, tokens_out: as the server counted. cost: in US dollars. None: not known."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: Decimal | None = None


class LiveLLM:
    """`(task, history) -> Decision` from a live model. `calls` holds every call made, `spent` the sum of their costs.

    Arguments:
        model: its name, as the server knows it.
        tools: the registry whose manifest the model is shown.
        max_cost: US dollars. Looked at before each call; once it is spent, no call is made. The call that reaches it
            may exceed it, because what a call costs is known afterwards.
        price: needed unless the server reports `usage.cost`; where both are known the higher counts.
        base_url: the server; OPENAI_BASE_URL, or OpenAI, when left out.
        key_env: the environment variable that holds the key. Left out: OPENROUTER_API_KEY for openrouter.ai, none for
            this machine (no key is sent), OPENAI_API_KEY otherwise.
        stream: take the reply in pieces. timeout: seconds for one call. temperature, max_tokens, seed: sent when given.

    Raises LiveError for a key that is missing or would be sent over plain http, ImportError without `openai`. A call
    raises CostCapError, LiveError, UnknownPriceError or ReplyError.
    """

    def __init__(
        self,
        model: str,
        tools: ToolRegistry,
        *,
        max_cost: Decimal | int | float | str,
        price: Price | None = None,
        base_url: str | None = None,
        key_env: str | None = None,
        stream: bool = False,
        timeout: float = 60.0,
        temperature: float | None = None,
        max_tokens: int | None = None,
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.model, self.max_cost, self.price, self.calls = model, Decimal(str(max_cost)), price, list[ModelCall]()
        if not self.max_cost.is_finite() or self.max_cost < 0:
            raise ValueError(f"max_cost is a number of US dollars from 0, got {max_cost!r}")
        self._tools, self._stream, self._timeout, self._clock = tools, stream, timeout, clock
        given = {"temperature": temperature, "max_tokens": max_tokens, "seed": seed}
        self.settings = {name: value for name, value in given.items() if value is not None}
        self.base_url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
        self._key, self._key_env = _key(self.base_url, key_env)
        self._client = _openai().OpenAI(
            api_key=self._key or "none", base_url=self.base_url, timeout=timeout, max_retries=0
        )
        self._price_unknown = False

    @property
    def spent(self) -> Decimal:
        """US dollars, over the calls whose cost is known."""
        return sum((call.cost for call in self.calls if call.cost is not None), Decimal(0))

    def __call__(self, task: str, history: list[Message]) -> Decision:
        self._look_at_the_cap()
        self.calls.append(ModelCall())  # before the call: one that fails was made as well
        with self._telling_what_went_wrong():
            reply = self._ask(_messages(task, history))
        self.calls[-1] = self._account(reply.get("usage"))
        return _decision(reply)

    def with_tools(self, tools: ToolRegistry) -> LLMClient:
        """The same model, account and cap over another registry: what an eval hands to its next case."""

        def ask(task: str, history: list[Message]) -> Decision:
            self._tools = tools
            return self(task, history)

        return ask

    def _look_at_the_cap(self) -> None:
        if self._price_unknown:
            raise self._unknown_price()
        if self.spent >= self.max_cost:
            raise CostCapError(
                f"{self.spent:f} US dollars are spent after {len(self.calls)} calls, and the cap is {self.max_cost:f}"
            )

    def _ask(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """One request. The reply as {"text", "thought", "calls": [(name, arguments)], "finish", "usage"}."""
        shown = [
            {
                "type": "function",
                "function": {"name": tool["name"], "description": tool["description"], "parameters": tool["schema"]},
            }
            for tool in self._tools.manifest()
        ]
        request: dict[str, Any] = {"model": self.model, "messages": messages, **self.settings}
        if shown:
            request |= {"tools": shown, "parallel_tool_calls": False}
        if not self._stream:
            return _whole(self._client.chat.completions.create(**request))
        options = {"stream": True, "stream_options": {"include_usage": True}}
        with self._client.chat.completions.create(**request, **options) as chunks:
            return _assembled(self._in_time(chunks))

    def _in_time(self, chunks: Any) -> Iterator[Any]:
        """The chunks, until the time of the whole call is up: a server that drips would never time out by itself."""
        started = self._clock()
        for chunk in chunks:
            if self._clock() - started > self._timeout:
                raise LiveError(f"{self._where()}: no whole reply within {self._timeout:g} s; raise the timeout")
            yield chunk

    def _account(self, usage: Mapping[str, Any] | None) -> ModelCall:
        usage = usage or {}
        tokens_in, tokens_out = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        known = [
            cost for cost in (_amount(usage.get("cost")), self._computed(tokens_in, tokens_out)) if cost is not None
        ]
        if not known:
            self._price_unknown = True
            self.calls[-1] = ModelCall(tokens_in, tokens_out)
            raise self._unknown_price()
        return ModelCall(tokens_in, tokens_out, max(known))

    def _computed(self, tokens_in: int | None, tokens_out: int | None) -> Decimal | None:
        if self.price is None:
            return None
        if tokens_in is None or tokens_out is None:
            return Decimal(0) if self.price.is_free else None
        return self.price.of(tokens_in, tokens_out)

    def _unknown_price(self) -> UnknownPriceError:
        why = "no price was given" if self.price is None else "the server did not count the tokens"
        return UnknownPriceError(
            f"{self._where()}: the reply says nothing of its cost, and {why}, so the cap cannot be kept; "
            "give a price in US dollars for a million tokens, in and out (0 and 0 for a model of your own)"
        )

    def _where(self) -> str:
        return f"{self.model} at {urlsplit(self.base_url).hostname}"

    @contextmanager
    def _telling_what_went_wrong(self) -> Iterator[None]:
        """Turn the library's exceptions into one sentence each; their own texts may quote the request."""
        openai = _openai()
        try:
            yield
        except openai.APITimeoutError:
            raise LiveError(f"{self._where()}: no answer within {self._timeout:g} s; raise the timeout") from None
        except openai.APIConnectionError:
            raise LiveError(f"{self._where()}: no connection; does the server run, is the address right?") from None
        except openai.APIStatusError as error:
            hint = _HINTS.get(error.status_code) or ("the server failed" if error.status_code >= 500 else "refused")
            named = f" ({self._key_env})" if error.status_code == 401 and self._key_env else ""
            said = "" if error.status_code in (401, 403) else self._redacted(error.body)
            raise LiveError(f"{self._where()}: HTTP {error.status_code}, {hint}{named}{said}") from None
        except openai.APIError as error:
            raise LiveError(f"{self._where()}: the server reported an error{self._redacted(error.body)}") from None
        except LiveError:
            raise
        except Exception as error:  # half a body, a page of HTML, a field of another type: whatever a server may send
            raise LiveError(f"{self._where()}: the reply is no chat completion ({type(error).__name__})") from None

    def _redacted(self, body: object) -> str:
        """What the server said, cut short and without the key or anything that looks like one."""
        inner = body.get("error", body) if isinstance(body, dict) else body
        said = inner.get("message") if isinstance(inner, dict) else inner
        if not isinstance(said, str) or not said:
            return ""
        if self._key:
            said = said.replace(self._key, "[key]")
        said = re.sub(r"(?i)bearer\s+\S+|\b(?:sk|key)-\S+", "[key]", said)
        return f": {_clean(said[:300])}"


def _openai() -> Any:
    try:
        import openai
    except ImportError:
        raise ImportError("a live model needs the openai library: pip install 'trusted-agent-course[live]'") from None
    return openai


def _key(base_url: str, key_env: str | None) -> tuple[str | None, str | None]:
    """The key and the name of the variable that holds it; None and None where no key is sent."""
    address = urlsplit(base_url)
    host = address.hostname
    if address.scheme not in ("http", "https") or not host:
        raise LiveError(
            "the base URL begins with http:// or https:// and names a host, such as http://localhost:11434/v1"
        )
    if key_env is None:
        if host in LOOPBACK:
            return None, None
        key_env = "OPENROUTER_API_KEY" if host == "openrouter.ai" else "OPENAI_API_KEY"
    key = os.environ.get(key_env, "").strip()
    if not key:
        raise LiveError(f"{host} wants a key: set the environment variable {key_env}, or name another one")
    if address.scheme != "https" and host not in LOOPBACK:
        raise LiveError(f"the key in {key_env} would be sent to {host} in the clear; use an https address")
    return key, key_env


# --- what is sent -----------------------------------------------------------------------------------------------------


def _messages(task: str, history: list[Message]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": task},
    ]
    for step, entry in enumerate(history):
        decision, observation = entry["decision"], entry["observation"]
        content = "" if observation is None else observation["content"]
        told = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        if decision["tool_call"] is None:
            messages.append({"role": "assistant", "content": decision["answer"]})
            messages.append({"role": "user", "content": told})
            continue
        call = {"id": f"call_{step}", "type": "function", "function": _echoed(decision["tool_call"])}
        messages.append({"role": "assistant", "content": decision["thought"], "tool_calls": [call]})
        failed = "" if observation is None or observation["ok"] else "error: "
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": failed + told})
    return messages


def _echoed(call: dict[str, Any]) -> dict[str, str]:
    """A call as it is shown again. Servers refuse names and arguments that no API would have let through."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call["tool"])[:64] or "_"
    args = call["args"] if isinstance(call["args"], dict) else {"unreadable": call["args"]}
    return {"name": name, "arguments": json.dumps(args, ensure_ascii=False)}


# --- what comes back --------------------------------------------------------------------------------------------------


def _whole(completion: Any) -> dict[str, Any]:
    if not getattr(completion, "choices", None):
        raise ValueError("no choices")
    choice = completion.choices[0]
    message = choice.message
    return {
        "text": message.content if message.content is not None else getattr(message, "refusal", None),
        "thought": _reasoning(message),
        "calls": [(call.function.name, call.function.arguments) for call in message.tool_calls or []],
        "finish": choice.finish_reason,
        "usage": completion.usage.model_dump() if completion.usage else None,
    }


def _assembled(chunks: Iterator[Any]) -> dict[str, Any]:
    """Put a streamed reply together. A stream that ends without saying that it is finished was cut: ValueError."""
    text: list[str] = []
    thought: list[str] = []
    calls: dict[int, list[str]] = {}
    finish, usage = None, None
    for chunk in chunks:
        usage = chunk.usage.model_dump() if chunk.usage else usage
        for choice in (chunk.choices or [])[:1]:
            finish = choice.finish_reason or finish
            text += [choice.delta.content] if choice.delta.content is not None else []
            thought += [_reasoning(choice.delta)]
            for part in choice.delta.tool_calls or []:
                call = calls.setdefault(part.index, ["", ""])
                call[0] += (part.function and part.function.name) or ""
                call[1] += (part.function and part.function.arguments) or ""
    if finish is None:
        raise ValueError("the stream was cut")
    said = "".join(text) if text else None
    ordered = [(name, arguments) for _, (name, arguments) in sorted(calls.items())]
    return {"text": said, "thought": "".join(thought), "calls": ordered, "finish": finish, "usage": usage}


def _reasoning(message: Any) -> str:
    """What some servers send beside the text, under one of two names."""
    said = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    return said if isinstance(said, str) else ""


def _decision(reply: dict[str, Any]) -> Decision:
    text, calls = reply["text"], reply["calls"]
    if reply["finish"] in ("length", "content_filter"):
        raise ReplyError(f"the reply was cut off ({reply['finish']}), so it decides nothing")
    thought = "\n".join(filter(None, [reply["thought"], text if calls else ""]))
    if not calls:
        if not isinstance(text, str):
            raise ReplyError("expected a tool call or a text, got neither")
        return Decision(_clean(thought), answer=_clean(text))
    name, arguments = calls[0]
    if not isinstance(name, str) or not name:
        raise ReplyError("expected a tool call with a name, got one without")
    if len(calls) > 1:
        thought += f"\n[{len(calls) - 1} more calls in the same reply were left out]"
    return Decision(_clean(thought), tool_call=ToolCall(_clean(name), _arguments(arguments)))


def _arguments(text: Any) -> Any:
    """The arguments as an object, or as the raw text where they are no JSON: then the schema refuses them."""
    raw = text if isinstance(text, str) else ""
    if not raw.strip():
        return {}
    try:
        parsed = parse_json(raw)
    except (ValueError, RecursionError):
        return _clean(raw)
    return _clean(raw) if why_not_json(parsed) else parsed


def _clean(text: str) -> str:
    """Text that a trace can hold: half a surrogate pair becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _count(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _amount(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    amount = Decimal(str(value))
    return amount if amount.is_finite() and amount >= 0 else None
