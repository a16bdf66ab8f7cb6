"""Replies, decisions, scripted models and the parser of text replies."""

from __future__ import annotations

import dataclasses
from copy import deepcopy
from typing import Any

import pytest

from course.models import (
    Decision,
    FakeLLM,
    ModelReply,
    ReplyError,
    ScriptedModel,
    ScriptExhaustedError,
    ToolCall,
    parse_reply,
)

CALL = ToolCall("list_documents", {"tag": "retrieval"})

# --- replies and decisions ----------------------------------------------------------------------------------------


def test_a_reply_without_tools_asks_for_none() -> None:
    assert ModelReply("done").tool_calls == ()


def test_a_reply_keeps_its_calls_in_declared_order_and_apart_from_the_list_it_was_given() -> None:
    calls = [ToolCall("b"), ToolCall("a")]
    reply = ModelReply("", calls)
    calls.clear()
    assert [call.name for call in reply.tool_calls] == ["b", "a"]


@pytest.mark.parametrize("text", [None, 3, b"x"])
def test_a_reply_whose_text_is_no_str_is_refused(text: Any) -> None:
    with pytest.raises(TypeError, match="a reply's text is a str, got "):
        ModelReply(text)


def test_a_reply_that_asks_with_anything_but_a_tool_call_is_refused() -> None:
    with pytest.raises(TypeError, match="asks for tools with ToolCall, got dict"):
        ModelReply("", [{"name": "add", "args": {}}])  # type: ignore[list-item]


def test_two_calls_without_arguments_do_not_share_them() -> None:
    assert ToolCall("a").args is not ToolCall("a").args


def test_a_decision_is_a_call_or_an_answer() -> None:
    assert Decision("look it up", tool_call=CALL).answer is None
    assert Decision("", answer="42").tool_call is None


def test_the_empty_string_is_an_answer() -> None:
    assert Decision("nothing to add", answer="").answer == ""


def test_both_or_neither_is_no_decision() -> None:
    with pytest.raises(ValueError, match="got both"):
        Decision("", tool_call=CALL, answer="")
    with pytest.raises(ValueError, match="got neither"):
        Decision("")


@pytest.mark.parametrize("value", [CALL, ModelReply("x"), Decision("", answer="x")])
def test_replies_and_decisions_cannot_be_changed(value: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, "other")


# --- scripted models ----------------------------------------------------------------------------------------------


def play(model: Any) -> Any:
    return model([{"role": "user", "content": "go"}], []) if isinstance(model, ScriptedModel) else model("go", [])


@pytest.mark.parametrize(
    "model",
    [
        ScriptedModel([ModelReply("one", [CALL]), ModelReply("two")]),
        FakeLLM([Decision("one", tool_call=CALL), Decision("two", answer="done")]),
    ],
    ids=["ScriptedModel", "FakeLLM"],
)
def test_a_script_is_followed_in_order_and_says_when_it_runs_out(model: Any) -> None:
    model = model.fresh()
    assert "one" in vars(play(model)).values()
    assert "two" in vars(play(model)).values()
    for _ in range(2):
        with pytest.raises(ScriptExhaustedError, match="the script has 2 replies and was asked for one more"):
            play(model)
    assert "one" in vars(play(model.fresh())).values()


def test_an_empty_script_runs_out_at_once() -> None:
    with pytest.raises(ScriptExhaustedError, match="the script has 0 replies"):
        play(ScriptedModel([]))


def test_a_scripted_model_leaves_messages_and_manifest_as_they_were() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    manifest: list[dict[str, Any]] = [{"name": "add", "schema": {"type": "object"}}]
    before = deepcopy((messages, manifest))
    assert ScriptedModel([ModelReply("one")])(messages, manifest) == ModelReply("one")
    assert FakeLLM([Decision("", answer="x")])("go", messages) == Decision("", answer="x")
    assert (messages, manifest) == before


def test_a_reply_that_is_changed_afterwards_does_not_change_the_script() -> None:
    replies = [ModelReply("one", [ToolCall("add", {"items": [1]})])]
    model = ScriptedModel(replies)
    replies[0].tool_calls[0].args["items"].append(2)
    replies.clear()
    first = play(model)
    assert first.tool_calls[0].args == {"items": [1]}
    first.tool_calls[0].args["items"].append(3)
    assert play(model.fresh()).tool_calls[0].args == {"items": [1]}


def test_two_models_of_one_script_do_not_share_their_place() -> None:
    replies = [ModelReply("one"), ModelReply("two")]
    first, second = ScriptedModel(replies), ScriptedModel(replies)
    play(first)
    assert play(second).text == "one"


# --- text replies -------------------------------------------------------------------------------------------------

ACTION = 'Action: {"tool": "list_documents", "args": {"tag": "retrieval"}}'


def test_a_thought_and_an_action_become_a_tool_call() -> None:
    assert parse_reply(f"Thought: the index knows.\n{ACTION}") == Decision("the index knows.", tool_call=CALL)


def test_a_thought_and_an_answer_become_an_answer() -> None:
    assert parse_reply("Thought: easy.\nAnswer: 42\nand more") == Decision("easy.", answer="42\nand more")


def test_an_empty_answer_is_an_answer() -> None:
    assert parse_reply("Answer:") == Decision("", answer="")


def test_an_observation_that_the_model_wrote_is_dropped_with_all_that_follows() -> None:
    made_up = f'{ACTION}\nObservation: ["fake"]\nThought: done.\nAnswer: fake'
    assert parse_reply(made_up) == Decision("", tool_call=CALL)
    later = f'{ACTION}\n  Observation: x\nAction: {{"tool": "other", "args": {{}}}}'
    assert parse_reply(later) == Decision("", tool_call=CALL)
    assert parse_reply("Answer: 4\nObservation: 5") == Decision("", answer="4")


def test_the_word_observation_inside_a_line_or_a_string_is_kept() -> None:
    assert parse_reply("Answer: my Observation: none").answer == "my Observation: none"
    call = parse_reply('Action: {"tool": "note", "args": {"text": "\\nObservation: x"}}').tool_call
    assert call == ToolCall("note", {"text": "\nObservation: x"})


@pytest.mark.parametrize("fence", ["```json", "```"])
def test_an_action_may_stand_in_a_fence_and_over_several_lines(fence: str) -> None:
    text = f'Thought: t\nAction:\n{fence}\n{{\n  "tool": "list_documents",\n  "args": {{"tag": "retrieval"}}\n}}\n```\n'
    assert parse_reply(text) == Decision("t", tool_call=CALL)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "one line that begins with Action: or Answer:, got 0"),
        ("42", "one line that begins with Action: or Answer:, got 0"),
        ("Observation: 42\nAnswer: 42", "one line that begins with Action: or Answer:, got 0"),
        (f"{ACTION}\nAnswer: 42", "one line that begins with Action: or Answer:, got 2"),
        (f"{ACTION}\n{ACTION}", "one line that begins with Action: or Answer:, got 2"),
        ("Action: list_documents()", "one JSON object after Action:"),
        ("Action: __import__('os').getcwd()", "one JSON object after Action:"),
        ("Action: {'tool': 'a', 'args': {}}", "one JSON object after Action:"),
        (f"{ACTION} {{}}", "one JSON object after Action:"),
        ('Action: {"tool": "a", "tool": "b", "args": {}}', "a key is there twice"),
        ('Action: {"tool": "a", "args": {"x": NaN}}', "NaN is no JSON number"),
        ('Action: {"tool": "a", "args": ' + "[" * 100_000, "one JSON object after Action:"),
        ("Action: [1]", 'exactly the keys "tool" and "args"'),
        ('Action: {"tool": "a"}', 'exactly the keys "tool" and "args"'),
        ('Action: {"tool": "a", "args": {}, "why": 1}', 'exactly the keys "tool" and "args"'),
        ('Action: {"tool": 1, "args": {}}', '"tool" to be a string and "args" to be an object'),
        ('Action: {"tool": "a", "args": [1]}', '"tool" to be a string and "args" to be an object'),
    ],
    ids=lambda value: value[:50],
)
def test_a_text_that_is_not_one_decision_is_refused_with_what_was_expected(text: str, problem: str) -> None:
    with pytest.raises(ReplyError) as refused:
        parse_reply(text)
    assert str(refused.value).startswith("expected ")
    assert problem in str(refused.value)
