"""Spans of a trace: their shape, their parents, what counts as an error, and that content stays out by default."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

import pytest

from course.errors import ToolError
from course.loops.verified import run
from course.models import Decision, FakeLLM, ToolCall
from course.otel import to_otel
from course.tools import Tool, ToolRegistry
from course.trace import Record, Trace

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
SECRETS = ("the private task", "1234567", "2469134", "the private answer", "13 is unlucky")


def double(n: int) -> int:
    if n == 13:
        raise ToolError("double", "13 is unlucky")
    if n == 0:
        raise ZeroDivisionError("13 is unlucky")
    return n * 2


TOOLS = ToolRegistry([Tool("double", "x", NUMBER, double)])


def call(n: Any) -> Decision:
    return Decision("t", tool_call=ToolCall("double", {"n": n}))


def traced(*script: Decision, **options: Any) -> list[Record]:
    trace = Trace()
    with suppress(ZeroDivisionError):
        run("the private task", FakeLLM(script), TOOLS, trace=trace, **options)
    return trace.records


DONE = Decision("t", answer="the private answer")
RUN = traced(call(1234567), call("x"), call(13), DONE)


def spans(records: list[Record], **options: Any) -> list[dict[str, Any]]:
    (resource,) = to_otel(records, **options)["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    found: list[dict[str, Any]] = scope["spans"]
    return found


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_one_agent_span_and_one_tool_span_for_each_call_that_began() -> None:
    root, *tools = spans(RUN)
    assert root["name"] == "invoke_agent verified-loop"
    assert [span["name"] for span in tools] == ["execute_tool double"] * 2  # the blocked call never ran
    assert [attributes(span)["course.step"] for span in tools] == ["0", "2"]


def test_tool_spans_hang_below_the_agent_span_in_one_trace() -> None:
    root, *tools = spans(RUN)
    assert "parentSpanId" not in root
    assert {span["parentSpanId"] for span in tools} == {root["spanId"]}
    assert len({span["traceId"] for span in (root, *tools)}) == 1
    assert len({span["spanId"] for span in (root, *tools)}) == 3


def test_ids_times_and_integers_are_spelled_as_otlp_json_spells_them() -> None:
    for span in spans(RUN):
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"])
        assert re.fullmatch("[0-9a-f]{16}", span["spanId"])
        assert re.fullmatch("[0-9]+", span["startTimeUnixNano"])
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        assert span["kind"] == 1
    assert {"key": "course.step", "value": {"intValue": "0"}} in spans(RUN)[1]["attributes"]


def test_the_conventions_names_are_there() -> None:
    root, tool, _ = spans(RUN, provider="openai", model="m")
    assert attributes(root) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "openai",
        "gen_ai.agent.name": "verified-loop",
        "gen_ai.request.model": "m",
    }
    assert attributes(tool) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "double",
        "gen_ai.tool.type": "function",
        "course.step": "0",
    }


def test_real_timestamps_keep_their_microseconds() -> None:
    clock = iter([1_700_000_000.25, 1_700_000_001.5, 1_700_000_002.000001, 1_700_000_003]).__next__
    root, tool = spans(traced(call(1), DONE, clock=clock))
    assert (tool["startTimeUnixNano"], tool["endTimeUnixNano"]) == ("1700000000250000000", "1700000001500000000")
    assert (root["startTimeUnixNano"], root["endTimeUnixNano"]) == ("1700000000250000000", "1700000003000000000")


def test_no_content_goes_along_unless_it_is_asked_for() -> None:
    silent = json.dumps(to_otel(RUN))
    assert [secret for secret in SECRETS if secret in silent] == []
    told = json.dumps(to_otel(RUN, content=True))
    assert [secret for secret in SECRETS if secret not in told] == []


def test_a_refused_call_is_an_error_and_one_that_went_well_has_no_status() -> None:
    root, good, bad = spans(RUN)
    assert "status" not in root and "status" not in good
    assert bad["status"] == {"code": 2} and attributes(bad)["error.type"] == "tool_error"
    assert spans(RUN, content=True)[2]["status"] == {"code": 2, "message": "double: 13 is unlucky"}


@pytest.mark.parametrize(
    "records,error",
    [
        (traced(call(1), call(1), max_steps=2), "budget_exhausted"),
        (traced(call(13), max_failures=1), "failed"),
        (traced(call(0)), "ZeroDivisionError"),
        (RUN[:-1], "trace_cut"),
        (RUN[:1], "trace_cut"),
    ],
)
def test_a_run_that_was_not_completed_is_an_error_with_its_type(records: list[Record], error: str) -> None:
    root = spans(records)[0]
    assert root["status"] == {"code": 2}
    assert attributes(root)["error.type"] == error


def test_a_crash_leaks_its_text_only_with_content() -> None:
    crashed = traced(call(0))
    assert "unlucky" not in json.dumps(to_otel(crashed))
    assert spans(crashed, content=True)[0]["status"]["message"] == "ZeroDivisionError: 13 is unlucky"


def test_each_judgment_is_an_evaluation_event() -> None:
    events = spans(RUN)[0]["events"]
    assert len(events) == sum(len(step["judgments"]) for step in RUN[1:-1])
    blocked = [attributes(event) for event in events if attributes(event)["gen_ai.evaluation.score.label"] == "failed"]
    assert blocked == [
        {
            "gen_ai.evaluation.name": "schema",
            "gen_ai.evaluation.score.value": 0.0,
            "gen_ai.evaluation.score.label": "failed",
            "course.step": "1",
            "course.phase": "pre_act",
            "course.blocked": True,
        }
    ]


def test_the_same_trace_gives_the_same_spans_and_another_one_other_ids() -> None:
    assert to_otel(RUN) == to_otel(RUN)
    assert spans(RUN)[0]["traceId"] != spans(traced(DONE))[0]["traceId"]


def test_an_empty_trace_has_no_spans() -> None:
    with pytest.raises(ValueError, match="an empty trace has no spans"):
        to_otel([])
