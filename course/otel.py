"""`to_otel(trace)`: a run as OpenTelemetry spans, so that it opens in the tools that people already have.

The shape is OTLP in its JSON encoding: `POST` it to a collector's `/v1/traces` and the run is there. Names follow the
GenAI semantic conventions (status: development, read in November 2026): one `invoke_agent` span, an `execute_tool` span
below it for each call that began, and a `gen_ai.evaluation.result` event for each judgment.

Off by default is all content: task, answer, arguments, results, reasons and error texts. What stays is structure.

A trace has one timestamp a record. So a tool's span begins where the record before it was written, and the model's time
is inside it; and under the counter that scripted runs use, times are seconds from 1970 that mean nothing but an order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from course.trace import Record, was_blocked, was_called

AGENT = "verified-loop"
INTERNAL = 1  # span kind
ERROR = 2  # status code; a span that went well leaves its status unset, as the conventions ask

Span = dict[str, Any]


def to_otel(trace: Sequence[Record], *, provider: str = "scripted", model: str = "", content: bool = False) -> Span:
    """Return the spans of one run as an OTLP request: `{"resourceSpans": […]}`, JSON values only.

    Arguments:
        trace: the records, as `course.trace.read` returns them; one that was cut gives a span with an error.
        provider, model: what answered, for `gen_ai.provider.name` and `gen_ai.request.model`. A trace does not know.
        content: whether task, answer, arguments, results, reasons and errors go along. They may hold what is private.

    The ids are hashes of the records: the same trace gives the same spans. Raises ValueError for an empty trace.
    """
    if not trace:
        raise ValueError("an empty trace has no spans")
    trace_id = _hash(json.dumps(list(trace), sort_keys=True), 32)
    root = _agent_span(trace, trace_id, provider, model, content)
    spans = [root, *_tool_spans(trace, trace_id, root["spanId"], content)]
    scope = {"scope": {"name": "course.otel"}, "spans": spans}
    resource = {"attributes": _attributes({"service.name": AGENT})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def _agent_span(trace: Sequence[Record], trace_id: str, provider: str, model: str, content: bool) -> Span:
    first, last = trace[0], trace[-1]
    ended = last if last["type"] == "run_end" else None
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": provider,
        "gen_ai.agent.name": AGENT,
        **({"gen_ai.request.model": model} if model else {}),
    }
    if content:
        attributes["gen_ai.input.messages"] = _message("user", first.get("task"))
        if ended and ended["answer"] is not None:
            attributes["gen_ai.output.messages"] = _message("assistant", ended["answer"], finish_reason="stop")
    span = _span(trace_id, "root", f"invoke_agent {AGENT}", first["ts"], last["ts"])
    if (error := _why_not_completed(ended)) is not None:
        attributes["error.type"] = error
        span["status"] = _failed(ended["error"] if ended and content else None)
    return {**span, "attributes": _attributes(attributes), "events": list(_judgment_events(trace, content))}


def _why_not_completed(ended: Record | None) -> str | None:
    """A run that was cut, crashed, killed or out of budget is no success, whatever it left behind."""
    if ended is None:
        return "trace_cut"
    if ended["status"] == "completed":
        return None
    kind, colon, _ = (ended["error"] or "").partition(": ")
    return kind if ended["status"] == "failed" and colon and kind.isidentifier() else str(ended["status"])


def _tool_spans(trace: Sequence[Record], trace_id: str, parent: str, content: bool) -> Iterator[Span]:
    for before, step in pairwise(trace):
        if step["type"] != "step" or not was_called(step):
            continue
        call, seen = step["decision"]["tool_call"], step["observation"]
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call["tool"],
            "gen_ai.tool.type": "function",
            "course.step": step["step"],
        }
        if content:
            attributes["gen_ai.tool.call.arguments"] = json.dumps(call["args"], ensure_ascii=False)
            attributes["gen_ai.tool.call.result"] = json.dumps(seen["content"], ensure_ascii=False)
        span = _span(trace_id, f"step {step['step']}", f"execute_tool {call['tool']}", before["ts"], step["ts"])
        if not seen["ok"]:
            attributes["error.type"] = "tool_error"
            span["status"] = _failed(seen["content"] if content else None)
        yield {**span, "parentSpanId": parent, "attributes": _attributes(attributes)}


def _judgment_events(trace: Sequence[Record], content: bool) -> Iterator[Span]:
    for step in trace:
        for judgment in step["judgments"] if step["type"] == "step" else ():
            attributes: dict[str, Any] = {
                "gen_ai.evaluation.name": judgment["verifier"],
                "gen_ai.evaluation.score.value": float(judgment["score"]),
                "gen_ai.evaluation.score.label": "passed" if judgment["passed"] else "failed",
                "course.step": step["step"],
                "course.phase": judgment["phase"],
                "course.blocked": was_blocked(step),
            }
            if content:
                attributes["gen_ai.evaluation.explanation"] = judgment["reason"]
            name = "gen_ai.evaluation.result"
            yield {"name": name, "timeUnixNano": _nanoseconds(step["ts"]), "attributes": _attributes(attributes)}


def _span(trace_id: str, key: str, name: str, start: int | float, end: int | float) -> Span:
    return {
        "traceId": trace_id,
        "spanId": _hash(trace_id + key, 16),
        "name": name,
        "kind": INTERNAL,
        "startTimeUnixNano": _nanoseconds(start),
        "endTimeUnixNano": _nanoseconds(end),
    }


def _failed(message: object) -> dict[str, Any]:
    return {"code": ERROR, **({"message": message} if isinstance(message, str) else {})}


def _message(role: str, text: object, **rest: Any) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}], **rest}], ensure_ascii=False)


def _attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items()]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}  # 64-bit integers are texts in this encoding
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": str(value)}


def _nanoseconds(seconds: int | float) -> str:
    return str(int(Decimal(str(seconds)) * 1_000_000_000))


def _hash(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:digits]
