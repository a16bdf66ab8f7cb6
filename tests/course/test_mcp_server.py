"""The registry over MCP, for real: the SDK's own client on a stdio process, in memory, and the MCP Inspector."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
import trap_server
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

import course
from course.errors import ToolError
from course.loops.verified import run
from course.mcp_server import main, make_server
from course.models import Decision, FakeLLM, ToolCall
from course.toolbox import toolbox
from course.tools import Tool, ToolRegistry
from course.trace import Trace

HERE = Path(__file__).resolve().parent
REPOSITORY = Path(course.__file__).resolve().parents[1]
TRAPS = [str(HERE / "trap_server.py"), "30"]
SERVER = ["-m", "course.mcp_server", "--root"]
INSPECTOR = "2.12.0"  # @modelcontextprotocol/inspector
INSPECTOR_FOLDER = Path(os.environ.get("MCP_INSPECTOR", REPOSITORY / "build" / "inspector"))
OLDEST_NODE = (22, 19)

Talk = Callable[[Client], Awaitable[Any]]


def stdio(arguments: list[str], talk: Talk, mode: str = "auto") -> Any:
    """Start a Python server process, let `talk` use the SDK's client on it, and return what that returned."""
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env={"PYTHONPATH": str(REPOSITORY)})

    async def talking() -> Any:
        with anyio.fail_after(60), open(os.devnull, "w") as quiet:  # noqa: PTH123
            async with Client(stdio_client(parameters, errlog=quiet), mode=mode) as client:
                return await talk(client)

    return anyio.run(talking)


def in_memory(tools: ToolRegistry, talk: Talk, mode: str = "auto", timeout: float = 30) -> Any:
    async def talking() -> Any:
        async with Client(make_server(tools, timeout), mode=mode) as client:
            return await talk(client)

    return anyio.run(talking)


async def outcome(client: Client, name: str, args: dict[str, Any]) -> tuple[str, Any]:
    """`result`, `refusal` or `error`, and its text or (code, message)."""
    try:
        result = await client.call_tool(name, args)
    except MCPError as error:
        return "error", (error.error.code, error.error.message)
    (content,) = result.content
    return ("refusal" if result.is_error else "result"), content.text  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ws")
    (folder / "note.txt").write_text("Übung\n", encoding="utf-8")
    return folder


# --- a real process ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_stdio_process_lists_calls_refuses_and_names_an_unknown_tool(root: Path, mode: str) -> None:
    async def talk(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert [
            {"name": tool.name, "description": tool.description, "schema": tool.input_schema} for tool in listed
        ] == toolbox(root).manifest()
        assert await outcome(client, "calculator", {"expression": "17*23"}) == ("result", "391")
        assert await outcome(client, "file_read", {"path": "note.txt"}) == ("result", "Übung\n")
        kind, text = await outcome(client, "file_read", {"path": "../note.txt"})
        assert (kind, text.startswith("file_read: '../note.txt' must be relative")) == ("refusal", True)
        assert await outcome(client, "calculator", {"expression": 391}) == (
            "refusal",
            "invalid arguments: $.calculator.expression: expected type string, got int",
        )
        kind, (code, message) = await outcome(client, "calc", {})
        assert (kind, code) == ("error", -32602)
        assert message.startswith("no tool named 'calc' (have: calculator, ")

    stdio([*SERVER, str(root)], talk, mode)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_defect_leaks_nothing_and_the_server_goes_on(mode: str) -> None:
    async def talk(client: Client) -> None:
        assert await outcome(client, "breaks", {}) == ("error", (-32603, "Internal server error"))
        assert await outcome(client, "leaves", {}) == ("error", (-32603, "Internal server error"))
        assert await outcome(client, "refuses", {}) == ("refusal", "refuses: not today (have: tomorrow)")
        kind, text = await outcome(client, "unrecordable", {})
        assert (kind, "JSON cannot hold" in text) == ("refusal", True)

    stdio(TRAPS, talk) if mode == "auto" else in_memory(trap_server.TRAPS, talk, mode)


def test_a_tool_that_prints_in_every_way_it_can_does_not_reach_the_wire() -> None:
    async def talk(client: Client) -> None:
        for _ in range(2):
            assert await outcome(client, "prints", {}) == ("result", "printed")

    stdio(TRAPS, talk)


def test_every_line_on_stdout_is_a_protocol_message_even_after_the_end() -> None:
    requests: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "by hand", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "prints", "arguments": {}}},
    ]
    server = subprocess.Popen(
        [sys.executable, *TRAPS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONUNBUFFERED": ""},  # buffers are what is tried here
    )
    assert server.stdin and server.stdout and server.stderr
    with server:
        for request in requests:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n")
        server.stdin.flush()
        lines = [server.stdout.readline(), server.stdout.readline()]
        server.stdin.close()
        lines += server.stdout.readlines()
        noise = server.stderr.read()
    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    assert noise.count(b"NOISE") >= 4 and b"PLAIN" in noise  # led to stderr, not swallowed
    assert server.returncode == 0


def test_a_tool_that_hangs_holds_up_no_other_call_and_not_the_end_of_the_server() -> None:
    async def talk(client: Client) -> tuple[str, Any]:
        waiting = anyio.Event()
        async with anyio.create_task_group() as group:

            async def hang() -> None:
                waiting.set()
                await client.call_tool("hangs", {})

            group.start_soon(hang)
            await waiting.wait()
            answered = await outcome(client, "refuses", {})
            group.cancel_scope.cancel()
        return answered

    assert stdio(TRAPS, talk)[0] == "refusal"


def test_a_call_that_takes_too_long_is_a_refusal_that_says_so() -> None:
    async def talk(client: Client) -> Any:
        return await outcome(client, "hangs", {})

    assert stdio([TRAPS[0], "0.2"], talk) == (
        "refusal",
        "hangs: no answer within 0.2 s; the call may still be running",
    )


def test_a_root_that_is_no_folder_ends_the_server_with_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--root", str(tmp_path / "none")]) == 2
    assert capsys.readouterr() == (
        "",
        f"--root {tmp_path / 'none'}: no such folder; name the one that file_read may read\n",
    )


# --- parity with the loop ---------------------------------------------------------------------------------------------


ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "expression": st.sampled_from(["17*23", "1/3", "2**10", "1/0", "(", "1e3", "10**49"]) | st.integers(),
        "tag": st.none() | st.sampled_from(["agents", "none"]),
        "amount": st.integers(-5, 5) | st.floats(-1e6, 1e6) | st.booleans() | st.text(max_size=2),
        "source": st.sampled_from(["USD", "EUR", "usd"]),
        "target": st.sampled_from(["JPY", "CHF"]),
        "path": st.sampled_from(["note.txt", "../x", "none.txt"]),
        "url": st.sampled_from(["https://course.example/", "http://10.0.0.1/"]),
    },
)


def in_the_loop(tools: ToolRegistry, name: str, args: dict[str, Any]) -> dict[str, Any]:
    trace = Trace()
    script = FakeLLM([Decision("t", tool_call=ToolCall(name, args)), Decision("t", answer="")])
    run("t", script, tools, [], trace=trace)
    observation: dict[str, Any] = trace.records[1]["observation"]
    return observation


def test_loop_and_mcp_agree_on_generated_calls_value_for_value(root: Path) -> None:
    tools = toolbox(root)
    calls: list[tuple[str, dict[str, Any]]] = []

    @settings(derandomize=True, max_examples=80, deadline=None)
    @given(name=st.sampled_from(tools.names()), args=ARGUMENTS, trim=st.booleans())
    def generate(name: str, args: dict[str, Any], trim: bool) -> None:
        properties = tools.get(name).schema["properties"]
        calls.append((name, {key: args[key] for key in args if key in properties or not trim}))

    generate()

    async def talk(client: Client) -> list[tuple[str, Any]]:
        return [await outcome(client, name, args) for name, args in calls]

    for mode in ("auto", "legacy"):
        answers = in_memory(tools, talk, mode)
        assert {kind for kind, _ in answers} == {"result", "refusal"}
        for (name, args), (kind, text) in zip(calls, answers, strict=True):
            observation = in_the_loop(tools, name, args)
            content = observation["content"]
            shown = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            assert (kind == "result", text) == (observation["ok"], shown), (name, args)


def test_an_object_comes_as_structured_content_too_and_nothing_else_does() -> None:
    def bare() -> list[int]:
        return [1]

    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    value = {"text": "Übung", "n": 1.5, "list": [1, None, True]}
    tools = ToolRegistry([Tool("bare", "x", nothing, bare), Tool("value", "x", nothing, lambda: value)])

    async def talk(client: Client) -> list[Any]:
        return [(await client.call_tool(name, {})).structured_content for name in ("value", "bare")]

    assert in_memory(tools, talk) == [value, None]


def test_arguments_left_out_are_an_empty_object() -> None:
    async def talk(client: Client) -> Any:
        return (await client.call_tool("list_documents")).is_error

    assert in_memory(toolbox(HERE), talk) is False


def test_a_tool_that_is_registered_later_is_served_and_one_that_is_not_is_not() -> None:
    tools = ToolRegistry()

    async def talk(client: Client) -> list[str]:
        assert (await client.list_tools()).tools == []
        tools.register(toolbox(HERE).get("calculator"))
        return [tool.name for tool in (await client.list_tools(cache_mode="refresh")).tools]

    assert in_memory(tools, talk) == ["calculator"]


def test_a_tool_whose_name_begins_with_an_underscore_is_neither_listed_nor_called() -> None:
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    called: list[str] = []
    tools = ToolRegistry([Tool(name, "x", nothing, lambda: called.append("run")) for name in ("open_", "_own")])

    async def talk(client: Client) -> Any:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        return listed, await outcome(client, "_own", {})

    assert in_memory(tools, talk) == (["open_"], ("error", (-32602, "no tool named '_own' (have: open_)")))
    assert called == []


def test_a_message_with_half_a_surrogate_pair_still_arrives() -> None:
    def refuses() -> str:
        raise ToolError("refuses", "bad byte \ud800")

    nothing = {"type": "object", "properties": {}, "additionalProperties": False}

    async def talk(client: Client) -> Any:
        return await outcome(client, "refuses", {})

    assert in_memory(ToolRegistry([Tool("refuses", "x", nothing, refuses)]), talk) == (
        "refusal",
        "refuses: bad byte \\ud800",
    )


# --- a client from another ecosystem ----------------------------------------------------------------------------------


def inspector() -> list[str]:
    """The command of the pinned Inspector, or a skip that says what is missing and how to get it."""
    versions = {node: _version(node) for node in _nodes()}
    fit = [node for node, version in versions.items() if version >= OLDEST_NODE]
    if not fit:
        have = ", ".join(".".join(map(str, version)) for version in versions.values()) or "none"
        pytest.skip(f"the MCP Inspector was not run: it needs node 22.19 or later (have: {have})")
    package = INSPECTOR_FOLDER / "node_modules" / "@modelcontextprotocol" / "inspector"
    if not package.is_dir():
        install = f"npm install --ignore-scripts --prefix build/inspector @modelcontextprotocol/inspector@{INSPECTOR}"
        pytest.skip(f"the MCP Inspector was not run: it is not there; `{install}` brings it")
    node = fit[0]
    pinned = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    assert pinned == INSPECTOR, f"the test is pinned to {INSPECTOR}, found {pinned}"
    return [node, str(package / "clients" / "launcher" / "build" / "index.js"), "--cli"]


def _nodes() -> list[str]:
    """Node as it is installed, and the one that playwright brings along."""
    found = [shutil.which("node")]
    with suppress(ImportError):
        from playwright._impl._driver import compute_driver_executable

        found.append(str(compute_driver_executable()[0]))
    return [node for node in found if node]


def _version(node: str) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


def inspect(command: list[str], server: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, sys.executable, *server, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=REPOSITORY,
        timeout=120,
    )


def test_the_inspectors_list_and_call_output_equal_the_registrys_own(root: Path) -> None:
    command, server = inspector(), [*SERVER, str(root)]
    listed = inspect(command, server, "--method", "tools/list")
    assert listed.returncode == 0, listed.stderr
    due = [
        {"name": tool["name"], "description": tool["description"], "inputSchema": tool["schema"]}
        for tool in toolbox(root).manifest()
    ]
    shown = [
        {key: tool[key] for key in ("name", "description", "inputSchema")}
        for tool in json.loads(listed.stdout)["tools"]
    ]
    assert json.dumps(shown, ensure_ascii=False) == json.dumps(due, ensure_ascii=False)  # key order as well

    for name, args in [
        ("calculator", {"expression": "17*23"}),
        ("list_documents", {"tag": "agents"}),
        ("convert_currency", {"amount": 100, "source": "USD", "target": "EUR"}),
        ("file_read", {"path": "note.txt"}),
        ("file_read", {"path": "../note.txt"}),
        ("calculator", {"expression": "1/0"}),
    ]:
        pairs = [f"{key}={value}" for key, value in args.items()]
        called = inspect(command, server, "--method", "tools/call", "--tool-name", name, "--tool-arg", *pairs)
        result = json.loads(called.stdout)
        observation = in_the_loop(toolbox(root), name, args)
        content = observation["content"]
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        assert result["content"] == [{"type": "text", "text": text}]
        assert result.get("isError", False) is not observation["ok"]


def test_the_inspector_sees_an_unknown_tool_a_defect_a_printing_and_a_hanging_tool_as_the_sdk_does() -> None:
    command = inspector()

    def called(name: str, timeout: str = "30") -> subprocess.CompletedProcess[str]:
        return inspect(command, [TRAPS[0], timeout], "--method", "tools/call", "--tool-name", name)

    assert json.loads(called("prints").stdout)["content"][0]["text"] == "printed"
    assert json.loads(called("refuses").stdout)["isError"] is True
    assert "no answer within 0.2 s" in json.loads(called("hangs", "0.2").stdout)["content"][0]["text"]
    unknown, defect = called("nope"), called("breaks")
    assert unknown.returncode != 0 and "nope" in unknown.stderr
    assert defect.returncode != 0 and "sk-planted-secret" not in defect.stdout
    assert "Internal server error" in defect.stdout + defect.stderr
