"""The rule for what can be recorded: checked against the json module, and on what the json module would bend."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.jsonable import MOST_LEVELS, child, show, why_not_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(JSON)
def test_what_passes_comes_back_from_json_as_it_was(value: Any) -> None:
    assert why_not_json(value) is None
    assert json.loads(json.dumps(value, allow_nan=False).encode("utf-8")) == value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (float("nan"), "$: nan is not a JSON number"),
        ([1, float("-inf")], "$[1]: -inf is not a JSON number"),
        ({"a": {"b c": {1}}}, '$.a["b c"]: JSON cannot hold a value of type set'),
        ({"when": datetime(2026, 1, 1)}, "$.when: JSON cannot hold a value of type datetime"),
        ([Decimal(1)], "$[0]: JSON cannot hold a value of type Decimal"),
        (b"x", "$: JSON cannot hold a value of type bytes"),
        ({"a": {1: "x"}}, "$.a: a key must be a string, got int"),
        (["ok", "\ud800"], "$[1]: a string with half a surrogate pair, which UTF-8 cannot hold"),
        ({"\ud800": 1}, "$: a key with half a surrogate pair, which UTF-8 cannot hold"),
        (10**4300, "$: an integer of more than 4300 digits"),
        (-(10**4300), "$: an integer of more than 4300 digits"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_first_place_that_json_cannot_hold_is_named(value: object, reason: str) -> None:
    assert why_not_json(value) == reason


def test_the_largest_integer_that_passes_can_be_written() -> None:
    largest = 10**4300 - 1
    assert why_not_json(largest) is None
    assert json.loads(json.dumps(largest)) == largest


def test_the_first_of_two_places_is_named_in_reading_order() -> None:
    assert why_not_json({"z": [1, [{2}]], "a": {3}}) == "$.z[1][0]: JSON cannot hold a value of type set"


def test_a_tuple_counts_as_an_array_and_is_looked_into() -> None:
    assert why_not_json((1, ("a",))) is None
    assert why_not_json((1, ({2},))) == "$[1][0]: JSON cannot hold a value of type set"


def test_a_hundred_levels_pass_and_one_more_does_not() -> None:
    value: Any = 0
    for _ in range(MOST_LEVELS):
        value = [value]
    assert why_not_json(value) is None
    reason = why_not_json([value])
    assert reason is not None and reason.endswith("nested more than 100 deep")


def test_a_list_that_holds_itself_is_refused_and_not_followed_for_ever() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert str(why_not_json(loop)).endswith("nested more than 100 deep")


def test_lists_that_hold_each_other_twice_are_refused_before_they_are_counted_out() -> None:
    twice: list[Any] = []
    for _ in range(60):
        twice = [twice, twice]
    assert str(why_not_json(twice)).endswith("more than 1000000 values")


def test_a_plain_key_follows_a_dot_and_any_other_is_quoted() -> None:
    assert child("$", "a-b_1") == "$.a-b_1"
    assert child("$", "a.b") == '$["a.b"]'
    assert child("$", "") == '$[""]'


def test_a_value_is_shown_as_json_and_cut() -> None:
    assert show({"a": [None, True, "é"]}) == '{"a": [null, true, "é"]}'
    assert show("x" * 100) == '"' + "x" * 78 + "…"


def test_what_json_cannot_hold_is_shown_as_its_type_and_half_a_surrogate_as_its_escape() -> None:
    assert [show({1}), show(float("nan")), show(10**5000)] == ["set", "float", "int"]
    assert show("\ud800") == '"\\ud800"'
