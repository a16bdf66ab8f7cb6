"""The part of JSON Schema (draft 2020-12) that tools may use: supported here, or refused when a tool is registered.

| keyword | its setting | what it asks of a value |
|---|---|---|
| `type` | a type name, or a list of different ones | to be of that type, or of one of them |
| `enum` | a list, not empty | to equal one of its members |
| `const` | anything | to equal it |
| `minimum`, `maximum` | a number | of a number: to be at least, at most |
| `exclusiveMinimum`, `exclusiveMaximum` | a number | of a number: to be more than, less than |
| `minLength`, `maxLength` | a whole number from 0 | of a string: its count of code points |
| `minItems`, `maxItems` | a whole number from 0 | of an array: its count of items |
| `items` | a schema | of an array: each item to fit it |
| `properties` | an object of schemas | of an object: each key named here to fit its schema |
| `required` | a list of different strings | of an object: to have these keys |
| `additionalProperties` | true, false or a schema | of an object: what keys outside `properties` may be |
| `title`, `description` | a string | nothing |
| `default`, `examples` | anything, a list | nothing |
| `$schema` | the address of the draft | nothing |

Type names: array, boolean, integer, null, number, object, string. As in the draft:
- `True` is a boolean and no number; it equals neither 1 nor 1.0. 1 equals 1.0.
- `integer` takes every number without a fraction, so 1.0 as well; the tool then gets the float that was sent.
- a keyword about strings says nothing about a number, and so on; `type` is what rules a kind of value out.
- `default` is a note to the reader. What a missing argument means is decided by the tool's own signature.

Left out on purpose: `pattern` and `format` (dialects differ, and a pattern can run for ever), `multipleOf` (floats),
`$ref` (a schema that is not all in one place), `anyOf` and its kin (an error would have several paths), and a plain
true or false as a schema, except in `additionalProperties`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from course.jsonable import child, show, why_not_json

Schema = Mapping[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"


class SchemaError(ValueError):
    """The schema itself is wrong or uses a keyword outside the subset: a mistake of the tool's author."""


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return _is_number(value) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_array(value: object) -> bool:
    return isinstance(value, list)


TYPES: Mapping[str, Callable[[object], bool]] = {
    "array": _is_array,
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "null": lambda value: value is None,
    "number": _is_number,
    "object": lambda value: isinstance(value, dict),
    "string": _is_string,
}

# keyword: what it is about, what is measured, the comparison that must hold, and its words
_LIMITS: Mapping[str, tuple[Callable[[object], bool], Callable[[Any], Any], Callable[[Any, Any], bool], str]] = {
    "minimum": (_is_number, lambda number: number, operator.ge, "at least"),
    "maximum": (_is_number, lambda number: number, operator.le, "at most"),
    "exclusiveMinimum": (_is_number, lambda number: number, operator.gt, "more than"),
    "exclusiveMaximum": (_is_number, lambda number: number, operator.lt, "less than"),
    "minLength": (_is_string, len, operator.ge, "a length of at least"),
    "maxLength": (_is_string, len, operator.le, "a length of at most"),
    "minItems": (_is_array, len, operator.ge, "a length of at least"),
    "maxItems": (_is_array, len, operator.le, "a length of at most"),
}


def _type_names(setting: Any) -> list[Any]:
    return setting if isinstance(setting, list) else [setting]


def _is_type(setting: object) -> bool:
    names = _type_names(setting)
    return bool(names) and all(isinstance(name, str) and name in TYPES for name in names) and _all_different(names)


def _is_names(setting: object) -> bool:
    return isinstance(setting, list) and all(map(_is_string, setting)) and _all_different(setting)


def _all_different(names: list[Any]) -> bool:
    return len(set(names)) == len(names)


def _is_count(setting: Any) -> bool:
    return _is_integer(setting) and setting >= 0


_TYPE_WORDS = f"one of, or a list of different ones of, {', '.join(TYPES)}"

# keyword: is this setting one it may have, and the words for what it may have
_SETTINGS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "type": (_is_type, _TYPE_WORDS),
    "enum": (lambda setting: isinstance(setting, list) and bool(setting), "a list that is not empty"),
    "const": (lambda _: True, "anything"),
    **dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], (_is_number, "a number")),
    **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems"], (_is_count, "a whole number from 0")),
    "items": (lambda setting: isinstance(setting, dict), "a schema, which is an object"),
    "properties": (lambda setting: isinstance(setting, dict), "an object of schemas"),
    "required": (_is_names, "a list of different strings"),
    "additionalProperties": (lambda setting: isinstance(setting, (bool, dict)), "true, false or a schema"),
    "title": (_is_string, "a string"),
    "description": (_is_string, "a string"),
    "default": (lambda _: True, "anything"),
    "examples": (_is_array, "a list"),
    "$schema": (lambda setting: setting == DRAFT, f'"{DRAFT}"'),
}

KEYWORDS: tuple[str, ...] = tuple(sorted(_SETTINGS))


def check_schema(schema: object, path: str = "$") -> None:
    """Raise SchemaError, with the path into the schema, unless `schema` is wholly inside the subset.

    A keyword that is not in the table is refused and never ignored: a rule that is shown to a model and then not
    applied is worse than no rule.
    """
    problem = why_not_json(schema, path)
    if problem:
        raise SchemaError(problem)
    _check(schema, path)


def _check(schema: object, path: str) -> None:
    if not isinstance(schema, dict):
        raise SchemaError(f"{path}: a schema is an object, got {type(schema).__name__}")
    for keyword, setting in schema.items():
        if keyword not in _SETTINGS:
            raise SchemaError(f"{path}: keyword {keyword!r} is not supported (have: {', '.join(KEYWORDS)})")
        fits, words = _SETTINGS[keyword]
        if not fits(setting):
            raise SchemaError(f"{path}: {keyword!r} must be {words}, got {show(setting)}")
    for name, subschema in schema.get("properties", {}).items():
        _check(subschema, child(f"{path}.properties", name))
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            _check(schema[keyword], f"{path}.{keyword}")


def validate(value: object, schema: Schema, path: str = "$") -> list[str]:
    """Return what is wrong with `value`, each as `path: expected …, got …`; an empty list means that it fits.

    Arguments:
        value: what a model sent, as `json.loads` would give it.
        schema: one that `check_schema` let pass.
        path: how to name the place of `value` itself.

    The order depends on neither the value's key order nor the schema's: a value's own errors come first, then its keys
    by name and its items by position. A value of the wrong type has that one error.
    """
    return list(_errors(value, schema, path))


def _errors(value: object, schema: Schema, path: str) -> Iterator[str]:
    names = _type_names(schema.get("type", []))
    if names and not any(TYPES[name](value) for name in names):
        yield f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"
        return
    if "enum" in schema and not any(same(value, member) for member in schema["enum"]):
        yield f"{path}: expected one of {', '.join(map(show, schema['enum']))}, got {show(value)}"
    if "const" in schema and not same(value, schema["const"]):
        yield f"{path}: expected {show(schema['const'])}, got {show(value)}"
    for keyword, (applies, measure, holds, words) in _LIMITS.items():
        if keyword in schema and applies(value) and not holds(measure(value), schema[keyword]):
            yield f"{path}: expected {words} {show(schema[keyword])}, got {show(measure(value))}"
    if isinstance(value, dict):
        yield from _object_errors(value, schema, path)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from _errors(item, schema["items"], f"{path}[{index}]")


def _object_errors(value: dict[Any, Any], schema: Schema, path: str) -> Iterator[str]:
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
    required = schema.get("required", [])
    for key in value:
        if not isinstance(key, str):
            yield f"{path}: a key must be a string, got {type(key).__name__}"
            return
    for key in sorted({*value, *required}):
        place = child(path, key)
        if key not in value:
            yield f"{place}: required, but missing"
        elif key in properties:
            yield from _errors(value[key], properties[key], place)
        elif rest is False:
            yield f"{place}: unknown key (have: {', '.join(sorted(properties)) or 'none'})"
        elif rest is not True:
            yield from _errors(value[key], rest, place)


def same(one: object, other: object) -> bool:
    """Return whether two values are equal as JSON Schema counts: 1 equals 1.0, True equals neither, at any depth."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other
