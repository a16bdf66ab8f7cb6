"""What the students of session 11 write, and the course's own server, say the same on the wire."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import MCPError

from course.calls import call_tool as run_tool
from course.errors import ToolError
from course.mcp_server import call, list_tools
from course.tool import Tool
from course.toolbox import toolbox
from course.tools import ToolRegistry
from grader.authoring.source import SOLUTIONS, namespace_before, read_session, run_text

OPEN = {"type": "object"}


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """The namespace of the notebook after its last answer, solved."""
    source = read_session(SOLUTIONS / "ch11.py")
    namespace = namespace_before(source, "ch11-e4")
    for cell in source.of("ch11-e4", "answer"):
        run_text(cell.solved, namespace, "ch11-e4")
    return namespace


def refuses(**_: object) -> None:
    raise ToolError("refuses", "not today", ["tomorrow"])


def breaks(**_: object) -> None:
    raise KeyError("sk-planted-secret")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tool]:
    registry = toolbox(tmp_path_factory.mktemp("ws"))
    made = [registry.get(name) for name in registry] + [
        Tool("refuses", "Refuses.", OPEN, refuses),
        Tool("breaks", "Is broken.", OPEN, breaks),
        Tool("data", "An object.", OPEN, lambda **_: {"text": "Übung", "n": 1.0, "list": [1, None, True]}),
        Tool("odd", "Returns a set.", OPEN, lambda **_: {1, 2}),
        Tool("_own", "For the loop alone.", OPEN, lambda **_: "done"),
    ]
    return {tool.name: tool for tool in reversed(made)}


def as_on_the_wire(result: Any) -> Any:
    made = result.model_dump(by_alias=True, exclude_none=True, mode="json")
    return {key: value for key, value in made.items() if key in ("tools", "content", "structuredContent", "isError")}


def calls(tools: dict[str, Tool]) -> Iterator[tuple[str, dict[str, Any]]]:
    dice = random.Random(11)
    values = ["17*23", "1/3", "1/0", "agents", "USD", "EUR", "note.txt", "../x", 100, 1.0, True, None]
    for _ in range(300):
        name = dice.choice([*tools, "missing"])
        properties = tools[name].schema.get("properties", {}) if name in tools else {}
        yield name, {key: dice.choice(values) for key in properties if dice.random() < 0.9}


def test_the_list_is_the_same_in_order_and_in_every_schema(written: dict[str, Any], tools: dict[str, Tool]) -> None:
    mine = {"tools": written["list_tools"](tools)}
    assert json.dumps(mine) == json.dumps(as_on_the_wire(list_tools(ToolRegistry(tools.values()))))


def test_each_call_ends_the_same(written: dict[str, Any], tools: dict[str, Tool]) -> None:
    registry, ends = ToolRegistry(tools.values()), set()
    for name, args in calls(tools):
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": args}}
        reply = json.loads(written["handle"](tools, json.dumps(request)))
        try:
            due = {"result": as_on_the_wire(call(registry, name, args))}
        except MCPError as error:
            due = {"error": {"code": error.error.code, "message": error.error.message}}
        assert reply == {"jsonrpc": "2.0", "id": 1, **due}, (name, args)
        ends.add(reply["result"]["isError"] if "result" in reply else reply["error"]["code"])
    assert ends == {True, False, -32602, -32603}


def test_the_loop_reads_what_a_client_reads(written: dict[str, Any], tools: dict[str, Tool]) -> None:
    """But for the loop's own tools, which it alone may call."""
    for name, args in calls(tools):
        if name in ("_own", "missing", "breaks"):
            continue
        try:
            value: Any = run_tool(ToolRegistry(tools.values()), name, args)
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        except ToolError as error:
            text = str(error)
        assert written["call_tool"](tools, name, args)["content"] == [{"type": "text", "text": text}]


def test_nothing_of_the_session_imports_the_sdk_but_the_demo() -> None:
    cells = read_session(SOLUTIONS / "ch11.py").cells
    assert [cell.tags for cell in cells if "import mcp" in cell.text or "from mcp" in cell.text] == [("demo",)]
