"""`call_tool`: look the tool up, judge the arguments, and only then call.

A call's way: the name finds a tool (or UnknownToolError), the arguments fit its schema (or InvalidArgumentsError), the
function runs, and its result is something that JSON can hold (or InvalidResultError). The three are ToolErrors: a loop
that catches ToolError sees them all, and a server that must tell them apart can. Whatever else the function raises
passes through untouched.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from course.errors import ToolError
from course.jsonable import why_not_json
from course.schema import validate
from course.tools import ToolRegistry

MOST_ERRORS_SHOWN = 10


class InvalidArgumentsError(ToolError):
    """The arguments do not fit the schema; nothing was called. The message names each place."""


class InvalidResultError(ToolError):
    """The tool ran and returned something that JSON cannot hold, so that nobody could record what happened."""


def call_tool(registry: ToolRegistry, name: str, args: dict[str, Any]) -> Any:
    """Look `name` up, judge `args`, call, judge the result, and return it.

    The function gets a copy of `args`, so what it does to them stays out of the caller's record. A missing argument is
    filled in by the function's own default, not by the schema's.

    Raises UnknownToolError and InvalidArgumentsError before anything ran, and InvalidResultError after. Whatever the
    function raises comes through as it is: a TypeError inside a tool is a defect of the tool, not of the arguments.
    """
    tool = registry.get(name)
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
