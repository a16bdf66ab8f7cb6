"""`Tool` and `ToolRegistry`: what a model may ask for, and the contract that is judged when a tool is registered.

How a call is made is in `course.calls`.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from course.errors import ToolError
from course.schema import Schema, SchemaError, check_schema
from course.tool import Tool as Tool  # part of this module's public names

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what hosted models accept as a function's name


class UnknownToolError(ToolError):
    """No tool of that name is registered; the message lists those that are, sorted."""


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
        if name not in self:
            raise UnknownToolError(f"no tool named {name!r}", options=self.names())
        tool = self._tools[name]
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

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self._tools)


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
