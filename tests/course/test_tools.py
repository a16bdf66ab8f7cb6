"""Tool, ToolRegistry: what is refused at registration, and what a manifest shares with nobody."""

from __future__ import annotations

import json
from typing import Any

import pytest

from course.calls import call_tool
from course.errors import ToolError
from course.schema import SchemaError
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
