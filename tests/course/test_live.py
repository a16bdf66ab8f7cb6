"""The live client against a real HTTP server on this machine: replies, errors, costs, the cap, and where keys go."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, chat_server, completion, streamed, usage

from course.live import CostCapError, LiveError, LiveLLM, Price, UnknownPriceError
from course.loops.verified import OutOfBudgetError, run
from course.models import Decision, ReplyError, ToolCall
from course.toolbox import CALCULATOR, toolbox
from course.tools import ToolRegistry
from course.trace import Trace, replay

KEY = "planted-0123456789-secret"
TOOLS = ToolRegistry([CALCULATOR])
CALL = ("calculator", '{"expression": "17*23"}')
FREE = Price(0, 0)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    return KEY


def live(server: ChatServer, **options: Any) -> LiveLLM:
    options = {"max_cost": 1, "price": FREE, "base_url": server.url, **options}
    return LiveLLM("m", TOOLS, **options)


# --- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply,decision",
    [
        (completion("It is 391."), Decision("", answer="It is 391.")),
        (completion(""), Decision("", answer="")),
        (completion(None, CALL), Decision("", tool_call=ToolCall("calculator", {"expression": "17*23"}))),
        (
            completion("I multiply.", CALL),
            Decision("I multiply.", tool_call=ToolCall("calculator", {"expression": "17*23"})),
        ),
        (completion(None, ("now", "")), Decision("", tool_call=ToolCall("now", {}))),
        (
            completion(None, CALL, ("b", "{}"), ("c", "{}")),
            Decision(
                "\n[2 more calls in the same reply were left out]",
                tool_call=ToolCall("calculator", {"expression": "17*23"}),
            ),
        ),
    ],
)
def test_a_reply_becomes_one_decision(
    server: ChatServer, stream: bool, reply: dict[str, Any], decision: Decision
) -> None:
    server.reply({**reply, "usage": usage()})
    assert live(server, stream=stream)("What is 17*23?", []) == decision


@pytest.mark.parametrize("raw", ['{"expression": "17*', "{'a': 1}", '{"a": NaN}', '{"a": "\\ud800"}', '{"a":1,"a":2}'])
def test_arguments_that_are_no_json_are_a_call_that_no_schema_lets_through(
    server: ChatServer, stream: bool, raw: str
) -> None:
    server.reply(completion(None, ("calculator", raw)), completion("sorry"))
    trace = Trace()
    run("t", live(server, stream=stream), TOOLS, trace=trace)
    assert trace.records[1]["decision"]["tool_call"] == {"tool": "calculator", "args": raw}
    assert trace.records[1]["observation"]["content"].endswith("$.calculator: expected type object, got str")
    echoed = server.asked[1]["messages"][2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(echoed) == {"unreadable": raw}


def test_text_that_no_trace_could_hold_is_escaped(server: ChatServer) -> None:
    server.reply(completion("half \ud800 pair"))
    assert live(server)("t", []).answer == "half \\ud800 pair"


def test_what_a_server_sends_as_reasoning_is_the_thought(server: ChatServer) -> None:
    server.reply(completion("391", reasoning_content="seventeen times..."))
    decision = live(server)("t", [])
    assert (decision.thought, decision.answer) == ("seventeen times...", "391")


@pytest.mark.parametrize(
    "reply,said",
    [
        (completion(None), "got neither"),
        (completion("half an ans", finish="length"), "cut off \\(length\\)"),
        (completion("half", finish="content_filter"), "cut off \\(content_filter\\)"),
        (completion(None, ("", "{}")), "a tool call with a name"),
    ],
)
def test_a_reply_that_decides_nothing_says_so_and_is_paid_for(
    server: ChatServer, stream: bool, reply: dict[str, Any], said: str
) -> None:
    server.reply({**reply, "usage": usage()})
    llm = live(server, stream=stream, price=Price(1, 1))
    with pytest.raises(ReplyError, match=said):
        llm("t", [])
    assert llm.spent == Decimal("0.000015")


def test_the_model_is_shown_the_task_the_manifest_and_the_history(server: ChatServer) -> None:
    tools = toolbox(Path())
    server.reply(
        completion("First.", ("calculator", '{"expression": "17*23"}')),
        completion(None, ("bad name!", "{}")),
        completion("391"),
    )
    llm = LiveLLM("m", tools, max_cost=1, price=FREE, base_url=server.url, temperature=0.0, seed=7, max_tokens=99)
    assert run("What is 17*23?", llm, tools).status == "completed"
    first, _, third = server.asked
    assert [tool["function"]["parameters"] for tool in first["tools"]] == [each["schema"] for each in tools.manifest()]
    assert (first["model"], first["temperature"], first["seed"], first["max_tokens"]) == ("m", 0.0, 7, 99)
    assert [message["role"] for message in third["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    assert third["messages"][1]["content"] == "What is 17*23?"
    assert third["messages"][2]["content"] == "First."
    assert third["messages"][3] == {"role": "tool", "tool_call_id": "call_0", "content": "391"}
    assert third["messages"][4]["tool_calls"][0]["function"]["name"] == "bad_name_"
    assert third["messages"][5]["content"].startswith("error: blocked: no tool named 'bad name!'")


def test_a_blocked_answer_is_shown_again_with_the_reason(server: ChatServer) -> None:
    server.reply(completion("ok"))
    history = [
        {
            "decision": {"thought": "", "tool_call": None, "answer": "7"},
            "observation": {"ok": False, "content": "blocked: no"},
        }
    ]
    live(server)("t", history)
    assert server.asked[0]["messages"][2:] == [
        {"role": "assistant", "content": "7"},
        {"role": "user", "content": "blocked: no"},
    ]


def test_a_live_run_is_traced_and_replays(server: ChatServer, stream: bool) -> None:
    server.reply(completion("multiply", CALL, usage=usage()), completion("391", usage=usage()))
    trace = Trace()
    ended = run("What is 17*23?", live(server, stream=stream), TOOLS, trace=trace)
    assert (ended.status, ended.answer, ended.steps_used) == ("completed", "391", 2)
    assert replay(trace.records).ok


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "status,said",
    [
        (400, "m at 127.0.0.1: HTTP 400, refused: no"),
        (401, "m at 127.0.0.1: HTTP 401, the key was refused; look at the environment variable that holds it"),
        (404, "m at 127.0.0.1: HTTP 404, no such address or model there"),
        (429, "m at 127.0.0.1: HTTP 429, too many requests, or no credit left"),
        (500, "m at 127.0.0.1: HTTP 500, the server failed: no"),
    ],
)
def test_an_http_error_is_one_sentence_and_is_not_tried_again(
    server: ChatServer, stream: bool, status: int, said: str
) -> None:
    server.fail(status)
    llm = live(server, stream=stream)
    with pytest.raises(LiveError) as error:
        llm("t", [])
    assert str(error.value).startswith(said)
    assert len(server.asked) == len(llm.calls) == 1
    assert llm.calls[0].cost is None


@pytest.mark.parametrize(
    "body,kind",
    [
        (b'{"choices": [', "application/json"),
        (b"<html>gateway</html>", "text/html"),
        (b"{}", "application/json"),
        (b'{"choices": []}', "application/json"),
        (b'{"choices": [{"message": null}]}', "application/json"),
        (b'{"choices": 7}', "application/json"),
        (b"[]", "application/json"),
        (b"null", "application/json"),
        (b'{"error": {"message": "overloaded"}}', "application/json"),
        (b"", "application/json"),
    ],
)
def test_a_body_that_is_no_chat_completion_is_one_sentence(server: ChatServer, body: bytes, kind: str) -> None:
    server.answers.append(Answer(body, kind=kind))
    with pytest.raises(LiveError, match=r"m at 127\.0\.0\.1: the reply is no chat completion"):
        live(server)("t", [])


@pytest.mark.parametrize(
    "pieces",
    [
        list(streamed(completion("It is 391."), cut=True)),
        list(streamed(completion(None, CALL), cut=True)),
        [b"data: {oops\n\n"],
        [b"data: [DONE]\n\n"],
        [b'data: {"choices": 7}\n\n', b"data: [DONE]\n\n"],
        [],
    ],
)
def test_a_stream_that_is_cut_or_broken_is_no_decision(server: ChatServer, pieces: list[bytes]) -> None:
    server.answers.append(Answer(pieces, kind="text/event-stream"))
    with pytest.raises(LiveError, match="the reply is no chat completion"):
        live(server, stream=True)("t", [])


def test_an_error_inside_a_stream_is_one_sentence(server: ChatServer) -> None:
    event = json.dumps({"error": {"message": "ran out of memory"}})
    server.answers.append(Answer([f"data: {event}\n\n".encode()], kind="text/event-stream"))
    with pytest.raises(LiveError, match="the server reported an error: ran out of memory"):
        live(server, stream=True)("t", [])


def test_a_server_that_does_not_answer_in_time_is_given_up(server: ChatServer, stream: bool) -> None:
    release = threading.Event()
    server.answers.append(Answer(b"{}", wait=lambda: release.wait(10)))
    try:
        with pytest.raises(LiveError, match=r"no answer within 0\.2 s; raise the timeout"):
            live(server, stream=stream, timeout=0.2)("t", [])
    finally:
        release.set()
    assert len(server.asked) == 1


def test_a_stream_that_drips_is_given_up_when_the_whole_call_takes_too_long(server: ChatServer) -> None:
    server.reply(completion("a long answer"))
    ticks = iter(range(0, 1000, 30)).__next__
    with pytest.raises(LiveError, match="no whole reply within 60 s"):
        live(server, stream=True, timeout=60.0, clock=lambda: float(ticks()))("t", [])


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with chat_server() as gone:
        pass
    with pytest.raises(LiveError, match=r"m at 127\.0\.0\.1: no connection; does the server run"):
        live(gone)("t", [])


def test_an_error_ends_the_run_and_its_trace_well(server: ChatServer) -> None:
    server.reply(completion(None, CALL))
    server.fail(500)
    trace = Trace()
    with pytest.raises(LiveError):
        run("t", live(server), TOOLS, trace=trace)
    assert replay(trace.records).ok
    assert trace.records[-1]["status"] == "failed"
    assert trace.records[-1]["error"].startswith("LiveError: m at 127.0.0.1: HTTP 500")


# --- costs ------------------------------------------------------------------------------------------------------------


def test_each_call_is_accounted_with_its_tokens_and_its_cost(server: ChatServer, stream: bool) -> None:
    server.reply(completion(None, CALL, usage=usage(1000, 100)), completion("391", usage=usage(2000, 10)))
    llm = live(server, stream=stream, price=Price("2.50", 10))
    run("t", llm, TOOLS)
    assert [(call.tokens_in, call.tokens_out, call.cost) for call in llm.calls] == [
        (1000, 100, Decimal("0.0035")),
        (2000, 10, Decimal("0.0051")),
    ]
    assert llm.spent == Decimal("0.0086")


def test_a_cost_that_the_server_reports_needs_no_price(server: ChatServer, stream: bool) -> None:
    server.reply(completion("391", usage=usage(cost=0.0125)))
    llm = live(server, stream=stream, price=None)
    llm("t", [])
    assert llm.spent == Decimal("0.0125")


@pytest.mark.parametrize("reported,counted", [(0.5, "0.5"), (0.0, "0.002"), (-1.0, "0.002"), ("free", "0.002")])
def test_where_both_are_known_the_higher_counts(server: ChatServer, reported: Any, counted: str) -> None:
    server.reply(completion("391", usage=usage(1000, 1000, cost=reported)))
    llm = live(server, price=Price(1, 1))
    llm("t", [])
    assert llm.spent == Decimal(counted)


def test_the_cap_is_looked_at_before_each_call_and_not_one_more_is_made(server: ChatServer, stream: bool) -> None:
    server.reply(*[completion(None, CALL, usage=usage(cost=0.25))] * 9)
    llm = live(server, stream=stream, max_cost="0.5")
    trace = Trace()
    ended = run("t", llm, TOOLS, trace=trace)
    assert len(server.asked) == len(llm.calls) == 2
    assert (ended.status, ended.steps_used) == ("budget_exhausted", 2)
    assert ended.error == "0.50 US dollars are spent after 2 calls, and the cap is 0.5"
    assert replay(trace.records).ok
    for _ in range(2):
        with pytest.raises(CostCapError):
            llm("t", [])
    assert len(server.asked) == 2


def test_a_cap_of_0_makes_no_call_at_all(server: ChatServer) -> None:
    with pytest.raises(OutOfBudgetError):
        live(server, max_cost=0)("t", [])
    assert server.asked == []


def test_an_unknown_price_is_a_clear_error_and_no_further_call_is_made(server: ChatServer, stream: bool) -> None:
    server.reply(*[completion("391", usage=usage())] * 2)
    llm = live(server, stream=stream, price=None)
    for _ in range(2):
        with pytest.raises(UnknownPriceError, match="no price was given, so the cap cannot be kept; give a price"):
            llm("t", [])
    assert len(server.asked) == 1
    assert [(call.tokens_in, call.cost) for call in llm.calls] == [(10, None)]


def test_a_price_without_counted_tokens_is_a_clear_error_unless_it_is_0(server: ChatServer, stream: bool) -> None:
    server.reply(completion("391"), completion("391"))
    assert live(server, stream=stream)("t", []).answer == "391"
    with pytest.raises(UnknownPriceError, match="the server did not count the tokens"):
        live(server, stream=stream, price=Price(1, 1))("t", [])


@pytest.mark.parametrize("bad", [-1, "nan", "inf"])
def test_a_price_or_a_cap_that_is_no_number_from_0_is_refused(server: ChatServer, bad: Any) -> None:
    with pytest.raises(ValueError, match="a price is a number from 0"):
        Price(bad, 0)
    with pytest.raises(ValueError, match="max_cost is a number of US dollars"):
        live(server, max_cost=bad)


def test_one_account_and_one_cap_hold_over_several_registries(server: ChatServer) -> None:
    server.reply(*[completion("ok", usage=usage(cost=0.5))] * 3)
    llm = live(server, max_cost=1)
    for tools in (TOOLS, toolbox(Path())):
        llm.with_tools(tools)("t", [])
    assert [len(request["tools"]) for request in server.asked] == [1, 5]
    with pytest.raises(CostCapError):
        llm.with_tools(TOOLS)("t", [])


# --- keys -------------------------------------------------------------------------------------------------------------


def test_the_key_comes_from_the_environment_and_is_sent(server: ChatServer, key: str) -> None:
    server.reply(completion("ok"))
    live(server, key_env="PLANTED_KEY")("t", [])
    assert server.headers[0]["authorization"] == f"Bearer {key}"


def test_a_server_on_this_machine_is_sent_no_key(server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.reply(completion("ok"))
    live(server)("t", [])
    assert KEY not in json.dumps(server.headers)


@pytest.mark.parametrize(
    "base_url,variable", [(None, "OPENAI_API_KEY"), ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY")]
)
def test_a_missing_key_names_its_variable(base_url: str | None, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(LiveError, match=f"set the environment variable {variable}"):
        LiveLLM("m", TOOLS, max_cost=1, base_url=base_url)


@pytest.mark.parametrize("base_url", ["localhost:11434/v1", "ftp://x/v1", "http:///v1", "models"])
def test_a_base_url_without_scheme_or_host_is_one_sentence(base_url: str) -> None:
    with pytest.raises(LiveError, match="the base URL begins with http:// or https:// and names a host"):
        LiveLLM("m", TOOLS, max_cost=1, base_url=base_url)


def test_a_key_is_not_sent_in_the_clear_to_another_machine(key: str) -> None:
    with pytest.raises(LiveError, match="in the clear; use an https address") as error:
        LiveLLM("m", TOOLS, max_cost=1, base_url="http://models.example/v1", key_env="PLANTED_KEY")
    assert key not in str(error.value)


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_a_key_that_the_server_quotes_reaches_no_error_no_log_and_no_trace(
    server: ChatServer, stream: bool, key: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail(status, f"bad key {key}, Bearer {key}, also sk-other-0123456789 for {key}")
    llm = live(server, stream=stream, key_env="PLANTED_KEY")
    trace = Trace()
    with caplog.at_level(logging.DEBUG), pytest.raises(LiveError) as error:
        run("t", llm, TOOLS, trace=trace)
    texts = [str(error.value), repr(error.value), caplog.text, trace.to_bytes().decode(), repr(llm), str(llm.settings)]
    assert [text for text in texts if "planted" in text or "0123456789" in text] == []
    assert error.value.__cause__ is None and error.value.__suppress_context__


@pytest.mark.parametrize("status", [401, 403])
def test_of_a_refused_key_nothing_that_the_server_says_is_repeated(server: ChatServer, key: str, status: int) -> None:
    server.fail(status, "wrong key: plan*****cret")  # a masked key is a part of the key
    with pytest.raises(LiveError) as error:
        live(server, key_env="PLANTED_KEY")("t", [])
    assert "cret" not in str(error.value)
    assert ("PLANTED_KEY" in str(error.value)) is (status == 401)


def test_a_good_call_logs_no_key_either(server: ChatServer, key: str, caplog: pytest.LogCaptureFixture) -> None:
    server.reply(completion("ok"))
    with caplog.at_level(logging.DEBUG):
        live(server, key_env="PLANTED_KEY")("t", [])
    assert caplog.text and "planted" not in caplog.text


def test_without_the_openai_library_the_error_says_how_to_get_it(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(ImportError, match=r"pip install 'trusted-agent-course\[live\]'"):
        live(server)
