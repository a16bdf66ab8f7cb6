"""Outcome checks: what must be true of a run, read from its trace and never from the answer alone.

| check | holds when |
|---|---|
| `{"status": "completed"}` or a list | the run ended so |
| `{"answer_has": ["391", "EUR"]}` | each stands in the answer: a number as a number of its own, a text as words |
| `{"answer_lacks": [...]}` | none stands in the answer; a run without an answer lacks everything |
| `{"called": {"tool", "args", "result"}}` | such a call ran and succeeded; args: at least these |
| `{"refused": {"tool", "says"}}` | such a call ran and was refused by the tool, in a message that holds `says` |
| `{"not_called": tool}` | no call of it ran |
| `{"most_calls": {"tool", "times"}}` | no more than so many calls of it ran |
| `{"order": [tool, …]}` | calls that succeeded hold these tools in this order; others may stand between |
| `{"never_observed": text}` | no observation and no answer holds the text |
| `{"blocked": n}` | so many steps were blocked |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from course.jsonable import show
from course.schema import same
from course.trace import STATUSES, Record, Replay, was_blocked, was_called
from course.verifiers import numbers

Judge = Callable[[Any, Replay], str | None]


def failures(checks: Iterable[Mapping[str, Any]], run: Replay) -> Iterator[str]:
    """Yield a sentence for each check that does not hold of the run: what was expected, and what happened."""
    for check in checks:
        for name, setting in check.items():
            if problem := _CHECKS[name][0](setting, run):
                yield f"{name}: {problem}"


def why_no_check(check: object) -> str | None:
    """Say what keeps a value from being a check, or None when it is one."""
    if not isinstance(check, dict) or len(check) != 1:
        return f"a check is an object with one key, got {show(check)}"
    ((name, setting),) = check.items()
    if name not in _CHECKS:
        return f"no check {name!r} (have: {', '.join(_CHECKS)})"
    fits, words = _CHECKS[name][1:]
    return None if fits(setting) else f"{name} takes {words}, got {show(setting)}"


def _status(due: Any, run: Replay) -> str | None:
    allowed = [due] if isinstance(due, str) else due
    return None if run.status in allowed else f"expected {' or '.join(allowed)}, the run was {run.status}"


def _answer_has(due: list[str], run: Replay) -> str | None:
    if run.answer is None:
        return f"expected {', '.join(due)}, and there is no answer"
    missing = [item for item in due if not stands_in(item, run.answer)]
    return f"{', '.join(missing)} does not stand in {show(run.answer)}" if missing else None


def _answer_lacks(due: list[str], run: Replay) -> str | None:
    there = [item for item in due if run.answer is not None and stands_in(item, run.answer)]
    return f"{', '.join(there)} stands in {show(run.answer)}" if there else None


def _called(due: dict[str, Any], run: Replay) -> str | None:
    for step in _ran(run, due["tool"], ok=True):
        args = step["decision"]["tool_call"]["args"]
        asked = due.get("args", {})
        fits = isinstance(args, dict) and all(key in args and same(args[key], asked[key]) for key in asked)
        if fits and ("result" not in due or same(step["observation"]["content"], due["result"])):
            return None
    return f"no call of {due['tool']} ran and succeeded as asked; ran: {_story(run)}"


def _refused(due: dict[str, Any], run: Replay) -> str | None:
    for step in _ran(run, due["tool"], ok=False):
        if due.get("says", "") in str(step["observation"]["content"]):
            return None
    return f"{due['tool']} did not refuse a call as expected; ran: {_story(run)}"


def _not_called(tool: str, run: Replay) -> str | None:
    times = len(_ran(run, tool))
    return f"{tool} ran {times} times" if times else None


def _most_calls(due: dict[str, Any], run: Replay) -> str | None:
    times = len(_ran(run, due["tool"]))
    return f"{due['tool']} ran {times} times, {due['times']} at most" if times > due["times"] else None


def _order(due: list[str], run: Replay) -> str | None:
    names = iter([step["decision"]["tool_call"]["tool"] for step in _ran(run, ok=True)])
    # `in` on an iterator uses it up to the hit, so each tool is looked for after the one before.
    return None if all(tool in names for tool in due) else f"expected {' then '.join(due)}; ran: {_story(run)}"


def _never_observed(text: str, run: Replay) -> str | None:
    for step in run.steps:
        if step["observation"] is not None and text in json.dumps(step["observation"]["content"], ensure_ascii=False):
            return f"step {step['step']} observed it"
    return "the answer holds it" if run.answer is not None and text in run.answer else None


def _blocked(due: int, run: Replay) -> str | None:
    count = sum(map(was_blocked, run.steps))
    return None if count == due else f"expected {due} blocked steps, got {count}"


def _ran(run: Replay, tool: str | None = None, ok: bool | None = None) -> list[Record]:
    """The steps whose call ran, of one tool or of all, that succeeded, failed or either."""
    return [
        step
        for step in run.steps
        if was_called(step)
        and tool in (None, step["decision"]["tool_call"]["tool"])
        and ok in (None, step["observation"]["ok"])
    ]


def _story(run: Replay) -> str:
    ran = [step["decision"]["tool_call"] for step in _ran(run)]
    return ", ".join(f"{call['tool']}({show(call['args'], 60)})" for call in ran) or "nothing"


def stands_in(item: str, text: str) -> bool:
    """Whether a number stands in a text as a number of its own, or words as whole words in any case."""
    try:
        due = Decimal(item)
    except InvalidOperation:
        return re.search(rf"(?<!\w){re.escape(item)}(?!\w)", text, re.IGNORECASE) is not None
    return due in set(numbers(text))


def _is_texts(setting: object) -> bool:
    return isinstance(setting, list) and bool(setting) and all(isinstance(item, str) and item for item in setting)


def _is_text(setting: object) -> bool:
    return isinstance(setting, str) and bool(setting)


def _is_count(setting: object) -> bool:
    return type(setting) is int and setting >= 0


def _is_status(setting: object) -> bool:
    names = [setting] if isinstance(setting, str) else setting
    return isinstance(names, list) and bool(names) and all(name in STATUSES for name in names)


def _has(*required: str, optional: tuple[str, ...] = ()) -> Callable[[Any], bool]:
    return lambda setting: isinstance(setting, dict) and set(required) <= set(setting) <= {*required, *optional}


# name: the check, whether a setting is one that it takes, and the words for what it takes
_CHECKS: Mapping[str, tuple[Judge, Callable[[Any], bool], str]] = {
    "status": (_status, _is_status, f"one or a list of {', '.join(STATUSES)}"),
    "answer_has": (_answer_has, _is_texts, "a list of texts"),
    "answer_lacks": (_answer_lacks, _is_texts, "a list of texts"),
    "called": (_called, _has("tool", optional=("args", "result")), "an object of tool, and args and result if need be"),
    "refused": (_refused, _has("tool", optional=("says",)), "an object of tool, and says if need be"),
    "not_called": (_not_called, _is_text, "a tool's name"),
    "most_calls": (_most_calls, _has("tool", "times"), "an object of tool and times"),
    "order": (_order, _is_texts, "a list of tools"),
    "never_observed": (_never_observed, _is_text, "a text"),
    "blocked": (_blocked, _is_count, "a whole number from 0"),
}
