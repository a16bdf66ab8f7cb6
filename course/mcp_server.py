"""The registry over MCP: `python -m course.mcp_server --root DIR` serves the tools of the loop, unchanged, on stdio.

| what happened | what the client gets |
|---|---|
| the tool answered | a result: the value as JSON text (a string as it is); an object also as structured content |
| ToolError (refused, or arguments that do not fit) | a result with `isError`, and the message as its text |
| no tool of that name | protocol error -32602, with the names that there are |
| the tool did not answer in time | a result with `isError` that says so |
| anything else: a defect of the tool | protocol error -32603 `Internal server error`, and nothing of the defect |

A tool whose name begins with an underscore is the loop's own: no client sees it or can call it.

Schemas are the registry's own and the arguments are judged by `call_tool`, as in the loop: the SDK shows a schema and
never applies it. Each call runs in a thread of its own, so that a tool that hangs holds up nobody else. A Python
function cannot be stopped: when its time is up, or the client takes its request back, its thread is left alone.

stdout belongs to the protocol: while serving, the descriptor itself leads to stderr, so whatever prints is kept off the
wire, native code and child processes included. The one module of the course that needs the `mcp` library (2.x).
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NoReturn

import anyio
import mcp_types as types
from anyio import to_thread
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from course.calls import call_tool
from course.errors import ToolError
from course.toolbox import toolbox
from course.tools import ToolRegistry, UnknownToolError

MOST_CALLS_AT_ONCE = 32
LONGEST_CALL = 30.0  # seconds, unless the server is told otherwise

_log = logging.getLogger(__name__)

Context = ServerRequestContext[Any]


def public(tools: ToolRegistry) -> ToolRegistry:
    """The tools that a client may see and call: all but those whose name begins with an underscore."""
    return ToolRegistry(tools.get(name) for name in tools if not name.startswith("_"))


def list_tools(tools: ToolRegistry) -> types.ListToolsResult:
    """The manifest of the public tools in MCP's shape: same order, same descriptions, same schemas."""
    return types.ListToolsResult(
        tools=[
            types.Tool(name=tool["name"], description=tool["description"], input_schema=tool["schema"])
            for tool in public(tools).manifest()
        ]
    )


def call(tools: ToolRegistry, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    """Make one call and put what became of it into MCP's terms. Raises MCPError for an unknown tool and a defect."""
    try:
        value = call_tool(public(tools), name, arguments)
    except UnknownToolError as unknown:
        raise MCPError(types.INVALID_PARAMS, str(unknown)) from None
    except ToolError as refusal:
        return types.CallToolResult(content=[_text(str(refusal))], is_error=True)
    except BaseException:  # a tool that calls sys.exit() is a defect like any other; this is not the main thread
        _log.exception("tool %r is defective", name)  # to stderr, where its operator reads
        raise MCPError(types.INTERNAL_ERROR, "Internal server error") from None
    return types.CallToolResult(
        content=[_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))],
        structured_content=value if isinstance(value, dict) else None,
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text.encode("utf-8", "backslashreplace").decode("utf-8"))


def make_server(tools: ToolRegistry, timeout: float = LONGEST_CALL) -> Server[Any]:
    """The server for a registry, on no transport yet: `Client(make_server(tools))` talks to it in memory.

    timeout: the seconds that a call may take before its client is told that it did not answer.
    """
    threads = anyio.CapacityLimiter(MOST_CALLS_AT_ONCE)

    async def on_list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return list_tools(tools)

    async def on_call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        with anyio.move_on_after(timeout):
            return await to_thread.run_sync(
                call, tools, params.name, params.arguments or {}, abandon_on_cancel=True, limiter=threads
            )
        late = f"{params.name}: no answer within {timeout:g} s; the call may still be running"
        return types.CallToolResult(content=[_text(late)], is_error=True)

    return Server("trusted-agent-course", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


async def serve(tools: ToolRegistry, timeout: float = LONGEST_CALL) -> None:
    """Serve `tools` on this process's stdin and stdout until the client closes them."""
    server = make_server(tools, timeout)
    async with stdio_server() as (read, write):
        # The SDK has moved the descriptor. Python's buffer in front of it would keep a print back until it is restored.
        with redirect_stdout(sys.stderr):
            await server.run(read, write, server.create_initialization_options())


def serve_and_exit(tools: ToolRegistry, timeout: float = LONGEST_CALL) -> NoReturn:
    """Serve `tools`, and end the process with exit code 0 when the client is done.

    It leaves at once: a tool that hangs would keep the process alive for ever, and what some buffer still holds would
    be written to the wire, now that stdout is stdout again.
    """
    anyio.run(serve, tools, timeout)
    sys.stderr.flush()
    os._exit(0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--root DIR`, what `file_read` may read, and `--timeout SECONDS`."""
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="the folder that file_read may read (default: here)"
    )
    parser.add_argument(
        "--timeout", type=float, default=LONGEST_CALL, metavar="SECONDS", help="for one call (default: %(default)g)"
    )


def run(options: argparse.Namespace) -> int:
    """Serve the toolbox and do not return; 2 when the folder is none."""
    if not options.root.is_dir():
        print(f"--root {options.root}: no such folder; name the one that file_read may read", file=sys.stderr)
        return 2
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    serve_and_exit(toolbox(options.root), options.timeout)


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m course.mcp_server [--root DIR]`: exit 0 when the client closed the connection."""
    about = "Serve the course's tools over MCP, on stdio. Started by an MCP client, not by hand."
    parser = argparse.ArgumentParser(prog="python -m course.mcp_server", description=about)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
