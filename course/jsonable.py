"""What JSON can hold: one rule for arguments, results and schemas, so that whatever passes can be recorded as it is."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

MOST_LEVELS = 100
MOST_VALUES = 1_000_000
LARGEST_INTEGER = 10**4300  # Python's own default limit for turning a text into an int, and back

Way = tuple[str | int, ...]  # the keys and positions that lead to a value

_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")


def child(path: str, key: str) -> str:
    """Return the path of `key` under `path`: `$.add.a`, and `$.add["a b"]` where a plain dot would mislead."""
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{path}[{show(key)}]"


def show(value: object, width: int = 80) -> str:
    """Return `value` as JSON for a message, cut to `width` characters; its type name when JSON cannot hold it."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__
    # A lone surrogate would make the message itself impossible to record.
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= width else text[: width - 1] + "…"


def why_not_json(value: object, path: str = "$") -> str | None:
    """Return the first place in `value` that JSON cannot hold, as `path: reason`, or None for none.

    It holds None, bool, int, finite float, str, list (and tuple, as an array), and dict with string keys, nested at
    most 100 deep. A million values is the most, so that lists that hold themselves or each other end here too. A key 1
    is refused, because it would come back as "1".
    """
    waiting: list[tuple[object, Way]] = [(value, ())]
    seen = 0
    while waiting:
        item, way = waiting.pop()
        seen += 1
        reason = _why_not_alone(item, len(way))
        if seen + len(waiting) > MOST_VALUES:
            reason = f"more than {MOST_VALUES} values"
        if reason:
            return f"{_spell(path, way)}: {reason}"
        # The last one in is the next one out, so they go in backwards: the first place in reading order is named.
        waiting += [(member, (*way, step)) for step, member in reversed(_members(item))]
    return None


def _why_not_alone(value: object, level: int) -> str | None:
    """Judge one value, `level` containers deep, without what is inside it."""
    if isinstance(value, str):
        return None if _is_unicode(value) else "a string with half a surrogate pair, which UTF-8 cannot hold"
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return None if abs(value) < LARGEST_INTEGER else "an integer of more than 4300 digits"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value} is not a JSON number"
    if not isinstance(value, (list, tuple, dict)):
        return f"JSON cannot hold a value of type {type(value).__name__}"
    if level >= MOST_LEVELS:
        return f"nested more than {MOST_LEVELS} deep"
    return next(filter(None, map(_why_not_key, value)), None) if isinstance(value, dict) else None


def _why_not_key(key: object) -> str | None:
    if not isinstance(key, str):
        return f"a key must be a string, got {type(key).__name__}"
    return None if _is_unicode(key) else "a key with half a surrogate pair, which UTF-8 cannot hold"


def _is_unicode(text: str) -> bool:
    return text.isascii() or not _SURROGATE.search(text)


def _members(value: object) -> Sequence[tuple[str | int, object]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, (list, tuple)) else ()


def _spell(path: str, way: Way) -> str:
    for step in way:
        path = child(path, step) if isinstance(step, str) else f"{path}[{step}]"
    return path
