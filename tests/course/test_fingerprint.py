"""One name for all that a scripted run depends on: equal for equal runs, different for any difference."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from course.fingerprint import fingerprint
from course.models import Decision, ModelReply, ToolCall

BASE: dict[str, Any] = {
    "task": "find it",
    "script": [ModelReply("look", [ToolCall("add", {"a": 1, "b": 2})])],
    "manifest": [{"name": "add", "schema": {"type": "object"}}],
    "budgets": {"max_steps": 8, "max_tokens": 100},
}


def calling(**args: Any) -> list[ModelReply]:
    return [ModelReply("look", [ToolCall("add", args)])]


def test_the_same_run_has_the_same_name_of_64_hex_digits() -> None:
    name = fingerprint(**BASE)
    assert name == fingerprint(**BASE)
    assert len(name) == 64 and set(name) <= set("0123456789abcdef")


def test_key_order_is_irrelevant() -> None:
    turned = BASE | {"script": calling(b=2, a=1), "budgets": {"max_tokens": 100, "max_steps": 8}}
    assert fingerprint(**turned) == fingerprint(**BASE)


def test_one_one_point_zero_and_true_differ() -> None:
    names = {fingerprint(**BASE | {"script": calling(a=value, b=2)}) for value in (1, 1.0, True, "1")}
    assert len(names) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"task": "find it "},
        {"script": [*BASE["script"], ModelReply("two")]},
        {"script": [Decision("look", tool_call=ToolCall("add", {"a": 1, "b": 2}))]},
        {"manifest": []},
        {"manifest": None},
        {"budgets": {"max_steps": 9, "max_tokens": 100}},
        {"budgets": None},
    ],
    ids=str,
)
def test_a_difference_in_any_of_the_four_gives_another_name(change: dict[str, Any]) -> None:
    assert fingerprint(**BASE | change) != fingerprint(**BASE)


def test_null_and_an_empty_list_differ() -> None:
    assert fingerprint("t", [], None, None) != fingerprint("t", [], [], None)


def test_a_list_and_a_tuple_are_the_same_array() -> None:
    assert fingerprint(**BASE | {"script": tuple(BASE["script"])}) == fingerprint(**BASE)


@pytest.mark.parametrize(
    ("part", "place"), [({"clock": object()}, "$.budgets.clock"), ({1: 2}, "$.budgets"), (float("nan"), "$.budgets")]
)
def test_what_json_cannot_hold_is_refused_with_its_place(part: Any, place: str) -> None:
    with pytest.raises(ValueError) as refused:
        fingerprint(**BASE | {"budgets": part})
    assert str(refused.value).startswith(f"no fingerprint: {place}: ")


def test_the_name_is_the_same_under_another_hash_seed() -> None:
    code = "from course.fingerprint import fingerprint; print(fingerprint('t', [{'b': 1, 'a': 2}], [], {'n': 1}))"
    names = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(names) == 1
