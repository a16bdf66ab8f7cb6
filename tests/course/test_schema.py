"""The schema subset: its texts, what it refuses, and its verdict against jsonschema and the official test suite."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from course import schema as subset
from course.jsonable import MOST_LEVELS
from course.schema import DRAFT, KEYWORDS, TYPES, SchemaError, check_schema, validate

SUITE = Path(__file__).parents[1] / "data" / "json-schema-test-suite"

ADD = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


# --- the texts of spec/agentloop.md -------------------------------------------------------------------------------


def test_the_error_names_path_expected_json_type_and_python_type() -> None:
    assert validate({"a": "3", "b": 1}, ADD, "$.add") == ["$.add.a: expected type integer, got str"]


@pytest.mark.parametrize(
    ("value", "got"),
    [("3", "str"), (True, "bool"), (None, "NoneType"), (1.5, "float"), ([], "list"), ({}, "dict")],
)
def test_got_is_the_python_type_name_and_true_is_no_integer(value: object, got: str) -> None:
    assert validate(value, {"type": "integer"}) == [f"$: expected type integer, got {got}"]


@pytest.mark.parametrize("name", sorted(TYPES))
def test_expected_is_the_json_type_name(name: str) -> None:
    assert validate(object(), {"type": name}) == [f"$: expected type {name}, got object"]


def test_true_is_no_number() -> None:
    assert validate(True, {"type": "number"}) == ["$: expected type number, got bool"]


def test_a_number_without_a_fraction_is_an_integer_as_jsonschema_says() -> None:
    for value in (1, 1.0, -0.0, 1e300):
        assert validate(value, {"type": "integer"}) == []
        assert Draft202012Validator({"type": "integer"}).is_valid(value)
    assert validate(float("inf"), {"type": "integer"}) == ["$: expected type integer, got float"]


def test_several_types_are_joined_with_or() -> None:
    assert validate(3, {"type": ["string", "null"]}) == ["$: expected type string or null, got int"]
    assert validate(None, {"type": ["string", "null"]}) == []


def test_a_missing_key_is_named_at_its_own_place() -> None:
    assert validate({"b": 1}, ADD, "$.add") == ["$.add.a: required, but missing"]


def test_an_unknown_key_is_named_with_the_sorted_keys_that_there_are() -> None:
    assert validate({"b": 1, "a": 2, "c": 3}, ADD, "$.add") == ["$.add.c: unknown key (have: a, b)"]
    assert validate({"c": 3}, {"additionalProperties": False}) == ["$.c: unknown key (have: none)"]


@pytest.mark.parametrize(
    ("schema", "value", "problem"),
    [
        ({"enum": ["EUR", "USD"]}, "XYZ", 'expected one of "EUR", "USD", got "XYZ"'),
        ({"enum": [1, None]}, True, "expected one of 1, null, got true"),
        ({"const": {"a": 1}}, {"a": 2}, 'expected {"a": 1}, got {"a": 2}'),
        ({"minimum": 0}, -1, "expected at least 0, got -1"),
        ({"maximum": 5}, 5.5, "expected at most 5, got 5.5"),
        ({"exclusiveMinimum": 0}, 0, "expected more than 0, got 0"),
        ({"exclusiveMaximum": 5}, 5, "expected less than 5, got 5"),
        ({"minLength": 1}, "", "expected a length of at least 1, got 0"),
        ({"maxLength": 1}, "ab", "expected a length of at most 1, got 2"),
        ({"minItems": 1}, [], "expected a length of at least 1, got 0"),
        ({"maxItems": 1}, [1, 2], "expected a length of at most 1, got 2"),
    ],
)
def test_each_keyword_says_what_it_expected_and_what_it_got(schema: Any, value: Any, problem: str) -> None:
    assert validate(value, schema, "$.t.x") == [f"$.t.x: {problem}"]


def test_nested_places_are_named_through_keys_and_items() -> None:
    guest = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["name"]}
    schema = {"type": "object", "properties": {"guests": {"type": "array", "items": guest}}}
    value = {"guests": [{"name": "n", "age": 1}, {"age": "x"}]}
    assert validate(value, schema, "$.book") == [
        "$.book.guests[1].age: expected type integer, got str",
        "$.book.guests[1].name: required, but missing",
    ]


def test_a_key_that_is_no_plain_name_is_quoted_in_the_path() -> None:
    schema = {"additionalProperties": {"type": "null"}}
    assert validate({"a.b": 1}, schema) == ['$["a.b"]: expected type null, got int']


def test_a_wrong_type_is_the_only_error_of_its_value() -> None:
    assert validate("x", {"type": "integer", "enum": [1], "minimum": 3, "minLength": 9}) == [
        "$: expected type integer, got str"
    ]


def test_the_order_of_errors_depends_on_no_key_order() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"m": {"type": "null"}, "a": {"type": "null"}},
        "required": ["z", "b"],
    }
    schema["additionalProperties"] = False
    expected = [
        "$.a: expected type null, got int",
        "$.b: required, but missing",
        "$.k: unknown key (have: a, m)",
        "$.m: expected type null, got int",
        "$.z: required, but missing",
    ]
    assert validate({"k": 1, "m": 1, "a": 1}, schema) == expected
    turned = {key: schema[key] for key in reversed(schema)} | {"required": ["b", "z"]}
    assert validate({"a": 1, "m": 1, "k": 1}, turned) == expected


def test_a_value_is_judged_before_what_is_inside_it() -> None:
    schema = {"items": {"type": "null"}, "maxItems": 0}
    assert validate([1], schema) == ["$: expected a length of at most 0, got 1", "$[0]: expected type null, got int"]


def test_a_key_that_is_no_string_is_an_error_and_no_crash() -> None:
    assert validate({1: 2}, ADD) == ["$: a key must be a string, got int"]


def test_validate_changes_neither_value_nor_schema() -> None:
    value, schema = {"a": "x", "c": [1]}, json.loads(json.dumps(ADD))
    validate(value, schema)
    assert (value, schema) == ({"a": "x", "c": [1]}, ADD)


# --- what is refused at registration ------------------------------------------------------------------------------


@pytest.mark.parametrize("keyword", sorted({*Draft202012Validator.VALIDATORS, "$defs", "$id", "tpye"} - {*KEYWORDS}))
def test_a_keyword_outside_the_subset_is_refused_by_name(keyword: str) -> None:
    with pytest.raises(SchemaError, match=rf"^\$: keyword '{re.escape(keyword)}' is not supported \(have: \$schema, "):
        check_schema({"type": "object", keyword: {}})


def test_a_refused_keyword_deep_inside_is_named_with_its_path() -> None:
    schema = {"properties": {"a b": {"items": {"additionalProperties": {"pattern": "x"}}}}}
    with pytest.raises(SchemaError) as refused:
        check_schema(schema)
    assert str(refused.value).startswith("$.properties[\"a b\"].items.additionalProperties: keyword 'pattern'")


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("object", "$: a schema is an object, got str"),
        (True, "$: a schema is an object, got bool"),
        ({"properties": {"a": True}}, "$.properties.a: a schema is an object, got bool"),
        ({"type": "int"}, "$: 'type' must be one of, or a list of different ones of, array, boolean, "),
        ({"type": []}, "$: 'type' must be one of, or a list of different ones of, array, boolean, "),
        ({"type": ["null", "null"]}, "$: 'type' must be one of, or a list of different ones of, array, boolean, "),
        ({"type": [["null"]]}, "$: 'type' must be one of, or a list of different ones of, array, boolean, "),
        ({"enum": []}, "$: 'enum' must be a list that is not empty, got []"),
        ({"enum": "ab"}, "$: 'enum' must be a list that is not empty, got \"ab\""),
        ({"required": "a"}, "$: 'required' must be a list of different strings, got \"a\""),
        ({"required": ["a", "a"]}, "$: 'required' must be a list of different strings, got"),
        ({"required": [["a"]]}, "$: 'required' must be a list of different strings, got"),
        ({"items": [{}]}, "$: 'items' must be a schema, which is an object, got [{}]"),
        ({"properties": []}, "$: 'properties' must be an object of schemas, got []"),
        ({"additionalProperties": None}, "$: 'additionalProperties' must be true, false or a schema, got null"),
        ({"minimum": "1"}, "$: 'minimum' must be a number, got \"1\""),
        ({"maximum": True}, "$: 'maximum' must be a number, got true"),
        ({"exclusiveMinimum": True}, "$: 'exclusiveMinimum' must be a number, got true"),
        ({"exclusiveMaximum": None}, "$: 'exclusiveMaximum' must be a number, got null"),
        ({"minLength": -1}, "$: 'minLength' must be a whole number from 0, got -1"),
        ({"maxLength": 1.5}, "$: 'maxLength' must be a whole number from 0, got 1.5"),
        ({"minItems": True}, "$: 'minItems' must be a whole number from 0, got true"),
        ({"maxItems": "1"}, "$: 'maxItems' must be a whole number from 0, got \"1\""),
        ({"title": 1}, "$: 'title' must be a string, got 1"),
        ({"description": None}, "$: 'description' must be a string, got null"),
        ({"examples": {}}, "$: 'examples' must be a list, got {}"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, f"$: '$schema' must be \"{DRAFT}\", got"),
        ({"const": {1, 2}}, "$.const: JSON cannot hold a value of type set"),
        ({"maximum": float("nan")}, "$.maximum: nan is not a JSON number"),
    ],
)
def test_a_bad_setting_is_refused_with_place_and_remedy(schema: object, problem: str) -> None:
    with pytest.raises(SchemaError) as refused:
        check_schema(schema)
    assert str(refused.value).startswith(problem)


def test_a_schema_without_end_is_refused() -> None:
    schema: dict[str, Any] = {}
    schema["items"] = schema
    with pytest.raises(SchemaError, match=f"nested more than {MOST_LEVELS} deep"):
        check_schema(schema)


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_each_keyword_of_the_subset_is_in_the_documented_table(keyword: str) -> None:
    table = [line for line in str(subset.__doc__).splitlines() if line.startswith("| `")]
    assert any(f"`{keyword}`" in line.split("|")[1] for line in table)


def test_the_documented_table_names_no_other_keyword() -> None:
    table = [line.split("|")[1] for line in str(subset.__doc__).splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([^`]+)`", " ".join(table))) == list(KEYWORDS)


# --- the official test suite --------------------------------------------------------------------------------------

GROUPS = [
    (file.stem, group)
    for file in sorted(SUITE.glob("*.json"))
    for group in json.loads(file.read_text(encoding="utf-8"))
]


def supported(schema: object) -> bool:
    try:
        check_schema(schema)
    except SchemaError:
        return False
    return True


@pytest.mark.parametrize(
    ("schema", "test"),
    [
        pytest.param(group["schema"], test, id=f"{stem}: {group['description']}: {test['description']}")
        for stem, group in GROUPS
        if supported(group["schema"])
        for test in group["tests"]
    ],
)
def test_the_official_suite_agrees(schema: Any, test: dict[str, Any]) -> None:
    assert (validate(test["data"], schema) == []) is test["valid"]


def test_the_skipped_groups_are_those_that_the_readme_lists() -> None:
    readme = (SUITE / "README.md").read_text(encoding="utf-8")
    rows = [
        line.split(" | ") for line in readme.splitlines() if line.startswith("| ") and not line.startswith("| file")
    ]
    listed = [(row[0].removeprefix("| "), row[1]) for row in rows]
    skipped = [(stem, group["description"]) for stem, group in GROUPS if not supported(group["schema"])]
    assert listed == skipped
    assert f"{len(skipped)} of {len(GROUPS)} groups" in readme


def test_the_suite_has_a_file_for_each_keyword_that_judges() -> None:
    assert {*JUDGING} <= {file.stem for file in SUITE.glob("*.json")}


# --- agreement with jsonschema on generated pairs -----------------------------------------------------------------
#
# Hypothesis hands out the seeds and plain functions of a seeded `Random` make the pairs: built from strategies, half of
# the pairs were repeats.

PAIRS_A_KEYWORD = 1200  # different ones; 15 keywords: 18,000 pairs in all

KEYS = ["a", "b", "c", "", "a.b"]
NUMBERS = [*range(-3, 4), -1.5, -0.0, 0.0, 1.0, 2.0, 2.5, 1e300, 2**53, 2**53 + 1, 10**30]
LETTERS = ["a", "b", "1", "é", "e\u0301", "\U0001f600", "\n"]


def some(random: Random, most: int, make: Callable[[], Any]) -> list[Any]:
    return [make() for _ in range(random.randint(0, most))]


def any_text(random: Random) -> str:
    return "".join(some(random, 5, lambda: random.choice(LETTERS)))


def any_value(random: Random, levels: int = 2) -> Any:
    kind = random.choice(["scalar", "scalar", "list", "dict"]) if levels else "scalar"
    if kind == "list":
        return some(random, 4, lambda: any_value(random, levels - 1))
    if kind == "dict":
        return dict(some(random, 3, lambda: (random.choice(KEYS), any_value(random, levels - 1))))
    return random.choice([None, True, False, random.choice(NUMBERS), any_text(random)])


def any_setting(random: Random, keyword: str, levels: int) -> Any:
    if keyword == "type":
        names = random.sample(sorted(TYPES), random.randint(1, 3))
        return random.choice([names, names[0]])
    if keyword in ("enum", "const"):
        members = [any_value(random) for _ in range(random.randint(1, 3))]
        return members if keyword == "enum" else members[0]
    if keyword == "required":
        return random.sample(KEYS, random.randint(0, 3))
    if keyword == "properties":
        return {key: any_schema(random, levels - 1) for key in random.sample(KEYS, random.randint(1, 3))}
    if keyword in ("items", "additionalProperties"):
        inner = any_schema(random, levels - 1)
        return inner if keyword == "items" else random.choice([True, False, False, inner])
    return random.choice(NUMBERS) if "imum" in keyword else random.choice([0, 1, 2, 3, 2.0])


JUDGING = sorted({*KEYWORDS} & {*Draft202012Validator.VALIDATORS})


def any_schema(random: Random, levels: int) -> dict[str, Any]:
    """A schema of at most three keywords: with more of them hardly any value fits."""
    flat = [keyword for keyword in JUDGING if keyword not in ("items", "properties", "additionalProperties")]
    keywords = random.sample(JUDGING if levels else flat, random.randint(0, 3))
    return {keyword: any_setting(random, keyword, levels) for keyword in keywords}


def near_value(random: Random, schema: dict[str, Any]) -> Any:
    """A value that this schema has something to say about, about as often right as wrong."""
    offers: list[Callable[[], Any]] = [lambda: any_value(random)]
    if members := schema.get("enum", []) + ([schema["const"]] if "const" in schema else []):
        offers += [lambda: random.choice(members), lambda: twin(random.choice(members))]
    if any("imum" in keyword for keyword in schema):
        offers += [lambda: random.choice(NUMBERS)] * 2
    if {"minLength", "maxLength"} & schema.keys():
        offers += [lambda: any_text(random)] * 4
    if {"items", "minItems", "maxItems"} & schema.keys():
        offers += [lambda: some(random, 5, lambda: near_value(random, schema.get("items", {})))] * 2
    if {"properties", "required", "additionalProperties"} & schema.keys():
        offers += [lambda: near_object(random, schema)] * 4
    return random.choice(offers)()


def near_object(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    parts, rest = schema.get("properties", {}), schema.get("additionalProperties")
    keys = {*parts, *schema.get("required", []), *random.sample(KEYS, random.randint(0, 2))}
    kept = [key for key in sorted(keys) if random.random() < 0.8]
    others = rest if isinstance(rest, dict) else {}
    return {key: near_value(random, parts.get(key, others)) for key in random.sample(kept, len(kept))}


def twin(value: Any) -> Any:
    """The value as its look-alike: 1 and 1.0 are equal, 1 and True are not, and key order is nothing."""
    if isinstance(value, list):
        return [twin(item) for item in value]
    if isinstance(value, dict):
        return {key: twin(value[key]) for key in reversed(value)}
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return bool(value) if value in (0, 1) else float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


@pytest.mark.parametrize("keyword", JUDGING)
def test_the_verdict_agrees_with_jsonschema_on_generated_pairs(keyword: str) -> None:
    whole: dict[str, bool] = {}
    alone: dict[str, bool] = {}

    def agree(schema: dict[str, Any], value: Any, verdicts: dict[str, bool]) -> None:
        verdict = validate(value, schema) == []
        assert verdict is Draft202012Validator(schema).is_valid(value), (schema, value)
        verdicts[json.dumps([schema, value])] = verdict

    @settings(derandomize=True, max_examples=72, deadline=None, database=None)
    @given(st.randoms(use_true_random=True))
    def hold(random: Random) -> None:
        for _ in range(20):
            schema = any_schema(random, 1) | {keyword: any_setting(random, keyword, 2)}
            check_schema(schema)
            value = near_value(random, schema)
            agree(schema, value, whole)
            agree({keyword: schema[keyword]}, value, alone)  # whether or not the other keywords hide this one

    hold()
    assert len(whole) >= PAIRS_A_KEYWORD
    for verdicts in (whole, alone):
        refused = list(verdicts.values()).count(False)
        assert 30 <= refused <= len(verdicts) - 30, "one of the two verdicts is hardly tried"


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.randoms(use_true_random=True))
def test_what_the_subset_accepts_is_a_schema_by_the_drafts_own_rules(random: Random) -> None:
    schema = any_schema(random, 3)
    check_schema(schema)
    Draft202012Validator.check_schema(schema)
