"""`Tool`, `ToolRegistry` and `call_tool`: look the tool up, judge the arguments, and only then call.

A call's way: the name finds a tool (or UnknownToolError), the arguments fit its schema (or InvalidArgumentsError), the
function runs, and its result is something that JSON can hold (or InvalidResultError). The three are ToolErrors: a loop
that catches ToolError sees them all, and a server that must tell them apart can. Whatever else the function raises
passes through untouched.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from course.errors import ToolError
from course.jsonable import why_not_json
from course.schema import Schema, SchemaError, check_schema, validate

MOST_ERRORS_SHOWN = 10

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what hosted models accept as a function's name


class UnknownToolError(ToolError):
    """No tool of that name is registered; the message lists those that are, sorted."""


class InvalidArgumentsError(ToolError):
    """The arguments do not fit the schema; nothing was called. The message names each place."""


class InvalidResultError(ToolError):
    """The tool ran and returned something that JSON cannot hold, so that nobody could record what happened."""


@dataclass(frozen=True)
class Tool:
    """What a model may ask for.

    name: 1 to 64 letters, digits, `_` and `-`; unique in a registry.
    description: what the tool does, for the model.
    schema: the arguments, as an object schema inside the subset of `course.schema`.
    fn: called with the arguments by keyword; returns what JSON can hold, raises ToolError to refuse.
    idempotent: running it twice with the same arguments does no more than running it once, so it may be retried.
    """

    name: str
    description: str
    schema: Schema
    fn: Callable[..., Any]
    idempotent: bool = False


class ToolRegistry:
    """The tools of a run, by name. It keeps its own copy of every schema: later changes outside reach nobody."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> None:
        """Add `tool`. Raises ValueError for a bad or taken name, SchemaError for a schema that cannot be applied."""
        if not isinstance(tool.name, str) or not _NAME.fullmatch(tool.name):
            raise ValueError(f"tool name {tool.name!r} must be 1 to 64 letters, digits, '_' and '-'")
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is already registered; give one of the two another name")
        if not isinstance(tool.description, str) or not tool.description.strip():
            raise ValueError(f"tool {tool.name!r} needs a description: it is all that a model knows of the tool")
        _check_contract(tool)
        # Through JSON and back: a copy, and what is applied is what a model is shown, even where a tuple was written.
        self._tools[tool.name] = replace(tool, schema=json.loads(json.dumps(tool.schema)))

    def get(self, name: str) -> Tool:
        """Return the tool, its schema a copy; raises UnknownToolError, whose message lists the names."""
        tool = self._find(name)
        return replace(tool, schema=deepcopy(tool.schema))

    def names(self) -> list[str]:
        """Return the names, sorted."""
        return sorted(self._tools)

    def manifest(self) -> list[dict[str, Any]]:
        """Return what a model is shown: `{"name", "description", "schema"}` for each tool, sorted by name.

        It holds JSON values only, and each call returns a copy that shares nothing with the registry.
        """
        return [
            {"name": tool.name, "description": tool.description, "schema": deepcopy(dict(tool.schema))}
            for _, tool in sorted(self._tools.items())
        ]

    def call(self, name: str, args: dict[str, Any]) -> Any:
        """Run one call; see `call_tool`."""
        return call_tool(self, name, args)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self._tools)

    def _find(self, name: str) -> Tool:
        if name not in self:
            raise UnknownToolError(f"no tool named {name!r}", options=self.names())
        return self._tools[name]


def call_tool(registry: ToolRegistry, name: str, args: dict[str, Any]) -> Any:
    """Look `name` up, judge `args`, call, judge the result, and return it.

    The function gets a copy of `args`, so what it does to them stays out of the caller's record. A missing argument is
    filled in by the function's own default, not by the schema's.

    Raises UnknownToolError and InvalidArgumentsError before anything ran, and InvalidResultError after. Whatever the
    function raises comes through as it is: a TypeError inside a tool is a defect of the tool, not of the arguments.
    """
    tool = registry._find(name)
    errors = validate(args, tool.schema, f"$.{name}")
    problem = why_not_json(args, f"$.{name}")
    if problem and not errors:
        errors = [problem]
    if errors:
        hidden = len(errors) - MOST_ERRORS_SHOWN
        shown = errors[:MOST_ERRORS_SHOWN] + ([f"and {hidden} more"] if hidden > 0 else [])
        raise InvalidArgumentsError(f"invalid arguments: {'; '.join(shown)}")
    result = tool.fn(**deepcopy(args))
    problem = why_not_json(result)
    if problem:
        raise InvalidResultError(f"tool {name!r} returned what JSON cannot hold: {problem}")
    return result


def _check_contract(tool: Tool) -> None:
    """Refuse a schema that would let through a call which the function cannot take.

    With that settled here, a TypeError during a call can only come from inside the tool.
    """
    try:
        check_schema(tool.schema)
    except SchemaError as error:
        raise SchemaError(f"schema of tool {tool.name!r}: {error}") from None
    if tool.schema.get("type") != "object":
        raise SchemaError(f'schema of tool {tool.name!r}: arguments are an object, so write "type": "object"')
    if not callable(tool.fn):
        raise ValueError(f"tool {tool.name!r} needs a function to call, got {type(tool.fn).__name__}")
    try:
        parameters = inspect.signature(tool.fn).parameters.values()
    except (TypeError, ValueError):  # some built-in functions do not say what they take
        return
    problem = _mismatch(list(parameters), tool.schema)
    if problem:
        raise SchemaError(f"tool {tool.name!r}: {problem}")


def _mismatch(parameters: list[inspect.Parameter], schema: Schema) -> str | None:
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
    properties, required = schema.get("properties", {}), schema.get("required", [])
    for p in parameters:
        if p.kind is p.POSITIONAL_ONLY and p.default is p.empty:
            return f"the function takes {p.name!r} by position only, and arguments are passed by name"
    for p in named:
        if p.default is p.empty and p.name not in required:
            return f'the function needs {p.name!r}, but the schema does not list it under "required"'
    for name in sorted({*properties, *required} - {p.name for p in named}):
        if not takes_any:
            return f"the schema lets {name!r} through, but the function does not take it"
    if not takes_any and schema.get("additionalProperties", True) is not False:
        return 'the schema lets any name through, but the function does not: write "additionalProperties": false'
    return None
