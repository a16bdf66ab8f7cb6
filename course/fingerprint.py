"""`fingerprint`: one name for everything that a scripted run depends on, so that equal runs can be known."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from typing import Any

from course.jsonable import why_not_json


def fingerprint(task: str, script: Any, manifest: Any, budgets: Any) -> str:
    """Return the hex SHA-256 of (task, script, manifest, budgets), 64 characters.

    Arguments:
        task, script, manifest, budgets: JSON values, or dataclasses and tuples of them, such as a list of ModelReply.

    Key order counts for nothing; 1, 1.0 and true are three different things, and so are null and an empty list.
    Raises ValueError, with the place, for what JSON cannot hold: an object's address would make the name worthless.
    """
    parts = _plain({"task": task, "script": script, "manifest": manifest, "budgets": budgets})
    problem = why_not_json(parts)
    if problem:
        raise ValueError(f"no fingerprint: {problem}")
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
