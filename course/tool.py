"""`Tool`: one tool as a record, which is what a registry keeps and a manifest shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


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
    schema: Mapping[str, Any]
    fn: Callable[..., Any]
    idempotent: bool = False
