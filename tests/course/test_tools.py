"""Tool, ToolRegistry, call_tool: nothing runs before it is looked up and judged, and nothing is shared by accident."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from course.errors import ToolError
from course.schema import SchemaError
from course.tools import (
    InvalidArgumentsError,
    InvalidResultError,
    Tool,
    ToolRegistry,
    UnknownToolError,
    call_tool,
)

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


# --- looking up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [lambda tools: tools.get("multiply"), lambda tools: call_tool(tools, "multiply", {})])
def test_an_unknown_name_lists_the_sorted_options(look: Any) -> None:
    with pytest.raises(UnknownToolError) as refused:
        look(registry())
    assert str(refused.value) == "no tool named 'multiply' (have: add, echo, fail, greet)"


def test_an_empty_registry_says_that_it_has_none() -> None:
    with pytest.raises(ToolError, match=r"^no tool named 'x' \(have: none\)$"):
        call_tool(ToolRegistry(), "x", {})


@pytest.mark.parametrize("name", [None, 3, ["add"], {}])
def test_a_name_that_is_no_string_is_unknown_and_no_crash(name: Any) -> None:
    with pytest.raises(UnknownToolError, match="no tool named"):
        call_tool(registry(), name, {})


def test_a_duplicate_is_refused_and_the_first_stays() -> None:
    tools = registry()
    with pytest.raises(ValueError, match="a tool named 'add' is already registered; give one of the two another name"):
        tools.register(tool("add", lambda a, b: 0))
    assert call_tool(tools, "add", {"a": 1, "b": 2}) == 3


def test_names_length_and_membership_agree() -> None:
    tools = registry()
    assert tools.names() == list(tools) == ["add", "echo", "fail", "greet"]
    assert len(tools) == 4
    assert "add" in tools and "multiply" not in tools and 3 not in tools


# --- the manifest -------------------------------------------------------------------------------------------------


def test_the_manifest_is_sorted_by_name_and_holds_name_description_and_schema() -> None:
    manifest = registry().manifest()
    assert [entry["name"] for entry in manifest] == ["add", "echo", "fail", "greet"]
    assert manifest[0] == {
        "name": "add",
        "description": "Adds.",
        "schema": object_schema("a", "b", a=INTEGER, b=INTEGER),
    }


def test_the_manifest_is_serialisable_and_comes_back_equal() -> None:
    manifest = registry().manifest()
    assert json.loads(json.dumps(manifest, allow_nan=False)) == manifest


def test_two_manifests_share_nothing_with_each_other_or_the_registry() -> None:
    tools = registry()
    first = tools.manifest()
    first[0]["schema"]["properties"]["a"]["type"] = "string"
    first[0]["name"] = "gone"
    assert tools.manifest() == registry().manifest()
    assert call_tool(tools, "add", {"a": 1, "b": 2}) == 3


def test_a_schema_changed_after_registration_changes_nothing_inside() -> None:
    schema = object_schema("a", "b", a=INTEGER, b=INTEGER)
    tools = ToolRegistry([tool(schema=schema)])
    schema["properties"]["a"] = {"type": "string"}
    tools.get("add").schema["properties"].clear()
    assert tools.manifest() == ToolRegistry([tool()]).manifest()


def test_a_tuple_in_a_schema_is_applied_as_the_array_that_a_model_is_shown() -> None:
    tools = ToolRegistry([tool("echo", lambda value: value, object_schema("value", value={"const": (1, 2)}))])
    assert tools.manifest()[0]["schema"]["properties"]["value"] == {"const": [1, 2]}
    assert call_tool(tools, "echo", {"value": [1, 2]}) == [1, 2]


# --- what is refused when a tool is registered --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "a b", "a.b", "a" * 65, "é", "a\n", None])
def test_a_name_that_a_hosted_model_would_refuse_is_refused_here(name: Any) -> None:
    with pytest.raises(ValueError, match="must be 1 to 64 letters, digits, '_' and '-'"):
        ToolRegistry([tool(name)])


@pytest.mark.parametrize("description", ["", " \n", None])
def test_a_tool_without_a_description_is_refused(description: Any) -> None:
    with pytest.raises(ValueError, match="tool 'add' needs a description"):
        ToolRegistry([tool(description=description)])


def test_an_unsupported_keyword_is_refused_with_the_tools_name_and_the_place() -> None:
    schema = object_schema("a", "b", a=INTEGER | {"multipleOf": 2}, b=INTEGER)
    with pytest.raises(
        SchemaError, match=r"^schema of tool 'add': \$\.properties\.a: keyword 'multipleOf' is not supp"
    ):
        ToolRegistry([tool(schema=schema)])


@pytest.mark.parametrize("schema", [{}, {"type": "array"}, {"type": ["object", "null"]}])
def test_a_schema_that_is_not_of_an_object_is_refused(schema: Any) -> None:
    with pytest.raises(SchemaError, match='arguments are an object, so write "type": "object"'):
        ToolRegistry([tool(schema=schema)])


def test_a_tool_without_a_function_is_refused() -> None:
    with pytest.raises(ValueError, match="tool 'add' needs a function to call, got str"):
        ToolRegistry([tool(fn="add")])


@pytest.mark.parametrize(
    ("fn", "schema", "problem"),
    [
        (add, object_schema("a", a=INTEGER, b=INTEGER), "the function needs 'b', but the schema does not list it"),
        (add, object_schema("a", "b", a=INTEGER, b=INTEGER, c={}), "the schema lets 'c' through, but the function"),
        (add, object_schema("a", "b", a={}, b={}) | {"additionalProperties": True}, "the schema lets any name through"),
        (lambda a, /: a, object_schema("a", a={}), "takes 'a' by position only"),
    ],
)
def test_a_schema_that_the_function_cannot_keep_is_refused(fn: Any, schema: Any, problem: str) -> None:
    with pytest.raises(SchemaError, match=f"^tool 'add': .*{problem}"):
        ToolRegistry([tool(fn=fn, schema=schema)])


def test_a_function_that_takes_any_keyword_may_have_an_open_schema() -> None:
    tools = ToolRegistry([tool(fn=lambda **args: args, schema={"type": "object"})])
    assert call_tool(tools, "add", {"x": 1}) == {"x": 1}


def test_a_callable_that_does_not_say_what_it_takes_is_trusted() -> None:
    tools = ToolRegistry([tool(fn=dict, schema={"type": "object"})])
    assert call_tool(tools, "add", {"x": 1}) == {"x": 1}


def test_nothing_that_was_refused_is_registered() -> None:
    tools = registry()
    with pytest.raises(SchemaError):
        tools.register(tool("half", schema={"type": "object", "pattern": "x"}))
    assert "half" not in tools


# --- calling ------------------------------------------------------------------------------------------------------


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
    assert registry().call("greet", {}) == "hello you"


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
