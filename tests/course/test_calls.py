"""call_tool: nothing runs before it is looked up and judged, and nothing is shared by accident."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from course.calls import InvalidArgumentsError, InvalidResultError, call_tool
from course.errors import ToolError
from course.tools import Tool, ToolRegistry, UnknownToolError

INTEGER = {"type": "integer"}
NO_ARGUMENTS = {"type": "object", "additionalProperties": False}


def object_schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


def add(a: int, b: int) -> int:
    return a + b


def fail() -> None:
    raise RuntimeError("the tool is broken on purpose")


def tool(name: str = "add", fn: Any = add, schema: Any = None, description: str = "Adds.") -> Tool:
    return Tool(name, description, object_schema("a", "b", a=INTEGER, b=INTEGER) if schema is None else schema, fn)


def registry() -> ToolRegistry:
    return ToolRegistry(
        [
            tool("fail", fail, NO_ARGUMENTS),
            tool("add"),
            tool("greet", lambda name="you": f"hello {name}", object_schema(name={"type": "string"})),
            tool("echo", lambda value: value, object_schema("value", value={})),
        ]
    )


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ({"a": "3", "b": 1}, "$.add.a: expected type integer, got str"),
        ({"a": True, "b": 1}, "$.add.a: expected type integer, got bool"),
        ({"a": 1}, "$.add.b: required, but missing"),
        ({"a": 1, "b": 2, "c": 3}, "$.add.c: unknown key (have: a, b)"),
        ({"b": "x"}, "$.add.a: required, but missing; $.add.b: expected type integer, got str"),
        ([1, 2], "$.add: expected type object, got list"),
        (None, "$.add: expected type object, got NoneType"),
        ('{"a": 1, "b": 2}', "$.add: expected type object, got str"),
    ],
)
def test_bad_arguments_are_named_and_cause_no_call(args: Any, problem: str) -> None:
    calls: list[Any] = []

    def counted(a: int, b: int) -> None:
        calls.append((a, b))

    with pytest.raises(InvalidArgumentsError) as refused:
        call_tool(ToolRegistry([tool(fn=counted)]), "add", args)
    assert str(refused.value) == f"invalid arguments: {problem}"
    assert calls == []


def test_an_argument_that_json_cannot_hold_causes_no_call_even_where_the_schema_allows_anything() -> None:
    calls: list[Any] = []
    tools = ToolRegistry([tool("echo", lambda value: calls.append(value), object_schema("value", value={}))])
    for value, problem in [(float("nan"), "nan is not a JSON number"), ({1}, "JSON cannot hold a value of type set")]:
        with pytest.raises(InvalidArgumentsError) as refused:
            call_tool(tools, "echo", {"value": value})
        assert str(refused.value) == f"invalid arguments: $.echo.value: {problem}"
    assert calls == []


def test_ten_errors_are_shown_and_the_rest_is_counted() -> None:
    with pytest.raises(InvalidArgumentsError) as refused:
        call_tool(registry(), "fail", {f"x{index:02}": 0 for index in range(13)})
    shown = str(refused.value).split("; ")
    assert len(shown) == 11
    assert shown[9:] == ["$.fail.x09: unknown key (have: none)", "and 3 more"]


def test_ten_errors_are_not_followed_by_a_count_of_none() -> None:
    with pytest.raises(InvalidArgumentsError) as refused:
        call_tool(registry(), "fail", {f"x{index:02}": 0 for index in range(10)})
    assert str(refused.value).count("; ") == 9


def test_a_call_passes_arguments_by_name_and_returns_the_result() -> None:
    assert call_tool(registry(), "add", {"b": 2, "a": 1}) == 3
    assert call_tool(registry(), "greet", {}) == "hello you"


def test_a_schema_default_is_a_note_and_the_functions_own_default_counts() -> None:
    schema = object_schema(name={"type": "string", "default": "from the schema"})
    tools = ToolRegistry([tool("greet", lambda name="from the function": name, schema)])
    assert call_tool(tools, "greet", {}) == "from the function"


def test_the_caller_keeps_its_arguments_as_they_were() -> None:
    def greedy(items: list[int]) -> int:
        items.append(99)
        return len(items)

    args = {"items": [1]}
    tools = ToolRegistry([tool("greedy", greedy, object_schema("items", items={"type": "array"}))])
    assert call_tool(tools, "greedy", args) == 2
    assert args == {"items": [1]}


@pytest.mark.parametrize(
    "error", [TypeError("unsupported operand"), KeyError("x"), RuntimeError("broken"), ToolError("t")]
)
def test_what_the_function_raises_comes_through_as_it_is(error: Exception) -> None:
    def broken() -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        call_tool(ToolRegistry([tool("broken", broken, NO_ARGUMENTS)]), "broken", {})
    assert raised.value is error


def test_a_type_error_inside_the_tool_is_no_argument_error() -> None:
    def inner(a: int, b: int) -> Any:
        return add(a)  # type: ignore[call-arg]

    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        call_tool(ToolRegistry([tool(fn=inner)]), "add", {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("result", "problem"),
    [
        (float("nan"), "$: nan is not a JSON number"),
        ({"rate": float("inf")}, "$.rate: inf is not a JSON number"),
        ({"a": {1, 2}}, "$.a: JSON cannot hold a value of type set"),
        (object(), "$: JSON cannot hold a value of type object"),
        ({1: "x"}, "$: a key must be a string, got int"),
        ("\ud800", "$: a string with half a surrogate pair, which UTF-8 cannot hold"),
    ],
    ids=["nan", "inf", "set", "object", "key", "surrogate"],
)
def test_a_result_that_json_cannot_hold_is_refused(result: Any, problem: str) -> None:
    with pytest.raises(InvalidResultError) as refused:
        call_tool(ToolRegistry([tool("odd", lambda: result, NO_ARGUMENTS)]), "odd", {})
    assert str(refused.value) == f"tool 'odd' returned what JSON cannot hold: {problem}"


@pytest.mark.parametrize("kind", [UnknownToolError, InvalidArgumentsError, InvalidResultError])
def test_the_three_refusals_are_tool_errors_and_survive_pickle(kind: type[ToolError]) -> None:
    twin = pickle.loads(pickle.dumps(kind("a: b")))
    assert isinstance(twin, ToolError)
    assert (type(twin), str(twin)) == (kind, "a: b")
