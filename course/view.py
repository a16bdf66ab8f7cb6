"""A run as a picture: `show(receipt)`, `show(records)`, `show(path)`, or two of them side by side.

Receipts, transcripts and traces become the same rows: what was asked, what came back, what it cost, why it stopped.
The picture is made of styled divs with inline styles and no script, which every notebook front end keeps; the same
rows are the text that a terminal shows. Whatever a tool returned is escaped, made one line and cut.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any, Protocol

from course.markup import BOX, CELL, HEAD, MARKS, TABLE, Tone, badge, code, edge, header, meter, printable, said

_ANSWERING = ("no_tool_calls", "sentinel")  # the stops of the budgeted loop that carry an answer
_BUDGETS = (("steps", "max_steps"), ("tokens", "max_tokens"), ("cost", "max_cost"))  # of a transcript's stop and task
_WORDS: Mapping[Tone, str] = {"good": "ok", "bad": "failed", "plain": "", "stop": "stop"}
_BROKEN = "╳ the chain is broken here"
_LONGEST = 160  # characters of one value
_MOST_ROWS = 200


@dataclass(frozen=True)
class Row:
    """One line of a run. tone: how it went; head: what was done; body: what came of it; link: what broke the chain.

    mark: the beginning of the record's hash, where there is one.
    """

    tone: Tone
    head: str
    body: str = ""
    link: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Meter:
    """How much of one budget a run used. most: None where there was no limit."""

    name: str
    used: int
    most: int | None

    def __str__(self) -> str:
        return f"{self.used} {self.name}" if self.most is None else f"{self.used} of {self.most} {self.name} used"


@dataclass(frozen=True)
class Run:
    """A run in rows. kind: receipt, transcript or trace; meters: what it used, where the run says so."""

    kind: str
    rows: list[Row]
    meters: list[Meter] = field(default_factory=list)


class View:
    """What `show` returns: a cell's last line draws it. `runs` holds one run, or two that stand side by side."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = list(runs)

    @property
    def parts_at(self) -> int | None:
        """The first row in which two runs differ; None where they agree, or where there is one."""
        if len(self.runs) < 2:
            return None
        pairs = zip_longest(*(run.rows for run in self.runs))
        return next((number for number, (one, other) in enumerate(pairs) if not _alike(one, other)), None)

    def __repr__(self) -> str:
        return "\n\n".join("\n".join(self._lines(run)) for run in self.runs)

    def _repr_html_(self) -> str:
        return _alone(self.runs[0]) if len(self.runs) == 1 else _beside(self.runs[0], self.runs[1], self.parts_at)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Both forms in one."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _lines(self, run: Run) -> Iterator[str]:
        yield ", ".join([run.kind, *map(str, run.meters)])
        for number, row in enumerate(run.rows):
            if row.link:
                yield f"    {_BROKEN}: {row.link}"
            pointer = "▸" if number == self.parts_at else " "
            yield f"{pointer} {MARKS[row.tone]} {row.head}{f' -> {row.body}' if row.body else ''}"


class Picture(Protocol):
    """Whatever holds the records of a run."""

    @property
    def records(self) -> Sequence[Any]: ...


def picture_of(run: Picture) -> dict[str, str]:
    """The mime bundle of an object that holds a run: its `_repr_mimebundle_` returns this."""
    return show(run)._repr_mimebundle_()


def show(run: object, other: object = None) -> View:
    """Draw one run, or two side by side with the first row marked in which they differ.

    run, other: a receipt (dict), the records of a transcript or a trace (a sequence of dicts, or an object with
    `.records`), or the path of a `.jsonl` file of either. Raises ValueError for anything else.
    """
    return View([_run(one) for one in (run, other) if one is not None])


def _run(value: Any) -> Run:
    if isinstance(value, str | os.PathLike):
        value = _read(Path(value))
    value = getattr(value, "records", value)
    if isinstance(value, Mapping) and "steps" in value:
        return _receipt(value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if any(isinstance(one, Mapping) and one.get("type") in ("run_start", "step", "run_end") for one in value):
            return _trace(value)
        return _transcript(value)
    raise ValueError(f"show takes a receipt, records or a path, not {type(value).__name__}")


def _read(path: Path) -> list[Any]:
    """The values of the lines of a file; a line that is no JSON stands as its text, so that it can be seen."""
    values: list[Any] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            values.append(line)
    return values


# ------------------------------------------------------------------------------------------------------- three kinds
def _receipt(receipt: Mapping[str, Any]) -> Run:
    steps = receipt["steps"] if isinstance(receipt["steps"], list) else []
    rows = [Row("good", *_call(step)) for step in steps[:_MOST_ROWS]]
    reason = str(receipt.get("stopped_because"))
    rows += _more(len(steps))
    rows.append(_stop(reason, receipt.get("answer"), receipt.get("refusal"), reason == "answered"))
    return Run("receipt", rows)


def _call(step: Any) -> tuple[str, str]:
    if not isinstance(step, Mapping):
        return _short(step), ""
    return f"{step.get('tool')}({_short(step.get('args'))})", _short(step.get("result"))


def _transcript(records: Sequence[Any]) -> Run:
    """A transcript's records, with what `verify_records` finds wrong drawn as the broken link before its record."""
    faults = _faults(records)
    rows = [_record_row(record, faults.get(number, "")) for number, record in enumerate(records[:_MOST_ROWS])]
    rows += _more(len(records))
    return Run("transcript", rows, _meters(records))


def _faults(records: Sequence[Any]) -> dict[int, str]:
    """The first fault of each record; none where the course's own verifier is what the session builds."""
    try:
        from course.transcript import verify_records
    except ImportError:
        return {}
    chained = any(isinstance(one, Mapping) and "hash" in one for one in records)
    found: dict[int, str] = {}
    for fault in verify_records(records) if chained else ():
        found.setdefault(fault.index, f"{fault.kind}: {_short(fault.detail)}")
    return found


def _meters(records: Sequence[Any]) -> list[Meter]:
    """What the stop says was used, against what the task allowed; without a stop the turns are counted."""
    allowed = next((given for one in records[:3] if (given := _payload(one).get("budgets")) is not None), None)
    used = _payload(records[-1] if records else None)
    turns = sum(isinstance(one, Mapping) and one.get("kind") == "assistant" for one in records)
    meters = []
    for name, limit in _BUDGETS:
        most = allowed.get(limit) if isinstance(allowed, Mapping) else None
        spent = used.get(name, turns if name == "steps" else None)
        if type(spent) is int and type(most) is int:
            meters.append(Meter(name, spent, most))
    return meters


def _payload(record: Any) -> Mapping[str, Any]:
    payload = record.get("payload") if isinstance(record, Mapping) else None
    return payload if isinstance(payload, Mapping) else {}


def _record_row(record: Any, link: str) -> Row:
    payload = _payload(record)
    if not payload:
        return Row("plain", _short(record), link=link)
    digest = record.get("hash")
    mark = digest[:6] if isinstance(digest, str) else ""
    kind = str(record.get("kind"))
    match kind:
        case "tool":
            return Row(*_attempt(payload), link, mark)
        case "assistant":
            calls = payload.get("tool_calls")
            names = (
                [str(one.get("name")) for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []
            )
            asked = f"asks for {_short(', '.join(names))}" if names else ""
            return Row("plain", f"model: {_short(payload.get('text'))}", asked, link, mark)
        case "stop":
            reason = str(payload.get("reason"))
            good = reason in _ANSWERING
            stop = _stop(reason, payload.get("answer"), None if good else payload.get("detail"), good)
            return Row(stop.tone, stop.head, stop.body, link, mark)
        case _:
            return Row("plain", f"{_short(kind)}: {_short(payload.get('task', dict(payload)))}", "", link, mark)


def _attempt(payload: Mapping[str, Any]) -> tuple[Tone, str, str]:
    """One attempt at a tool: whether it went well, what was called and which attempt it was, what came of it.

    A record without `ok` is of a loop that records only what returned, as session 6's does: a result says it all.
    """
    ok, number = payload.get("ok", "result" in payload) is True, payload.get("attempt")
    again = f", attempt {number}" if type(number) is int and number > 1 else ""
    came = _short(payload.get("result") if ok else payload.get("error"))
    late = "too late: " if payload.get("late") is True else ""
    return ("good" if ok else "bad"), f"{payload.get('name')}({_short(payload.get('args'))}){again}", f"{late}{came}"


def _trace(records: Sequence[Any]) -> Run:
    rows: list[Row] = []
    used, budget = 0, None
    for record in records[:_MOST_ROWS]:
        kind = record.get("type") if isinstance(record, Mapping) else None
        if kind == "run_start":
            budget = record.get("max_steps") if type(record.get("max_steps")) is int else None
            rows.append(Row("plain", f"task: {_short(record.get('task'))}"))
        elif kind == "step":
            used += 1
            rows.append(_step_row(record))
        elif kind == "run_end":
            status = str(record.get("status"))
            rows.append(_stop(status, record.get("answer"), record.get("error"), status == "completed"))
        else:
            rows.append(Row("bad", _short(record)))
    rows += _more(len(records))
    rows += [Row("bad", f"the records disagree: {_short(one)}") for one in _mismatches(records)]
    return Run("trace", rows, [] if budget is None else [Meter("steps", used, budget)])


def _mismatches(records: Sequence[Any]) -> list[str]:
    """What a replay finds; of records that are none, nothing."""
    from course.trace import replay, why_no_record

    return [] if any(why_no_record(one) for one in records) else replay(records).mismatches


def _step_row(step: Mapping[str, Any]) -> Row:
    decision: Any = step.get("decision") if isinstance(step.get("decision"), Mapping) else {}
    judgments = [one for one in step.get("judgments") or [] if isinstance(one, Mapping)]
    scores = " ".join(f"{_short(one.get('verifier'))} {_short(one.get('score'))}" for one in judgments)
    blocked = [one for one in judgments if one.get("passed") is False]
    call, observation = decision.get("tool_call"), step.get("observation")
    seen = observation if isinstance(observation, Mapping) else {}
    if isinstance(call, Mapping):
        head = f"{call.get('tool')}({_short(call.get('args'))})"
        body = (
            _short(seen.get("content")) if seen else f"blocked: {_short(blocked[0].get('reason'))}" if blocked else ""
        )
        tone: Tone = "good" if seen.get("ok") is True and not blocked else "bad"
    else:
        head, body, tone = f"answer: {_short(decision.get('answer'))}", "", "bad" if blocked else "good"
    return Row(tone, head, f"{body}  [{scores}]" if scores else body)


# ------------------------------------------------------------------------------------------------------------ pieces
def _stop(reason: str, answer: object, why_not: object, good: bool) -> Row:
    """The closing row; an answer on a stop that was not one, or two voices at once, is shown as what it is."""
    both = answer is not None and why_not is not None
    texts = [f"answer {_short(answer)}"] * (answer is not None) + [_short(why_not)] * (why_not is not None)
    honest = (answer is not None) == good and not both
    return Row("stop" if honest else "bad", f"stopped: {_short(reason)}", "  and  ".join(texts))


def _more(rows: int) -> list[Row]:
    return [Row("plain", f"… and {rows - _MOST_ROWS} more")] if rows > _MOST_ROWS else []


def _alike(one: Row | None, other: Row | None) -> bool:
    """Whether two rows say the same; that hashes differ from a parting on is what a chain is for."""
    return (
        one is not None and other is not None and (one.tone, one.head, one.body) == (other.tone, other.head, other.body)
    )


def _short(value: object) -> str:
    """A value on one line, cut, with what no terminal should see written out."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} that cannot be shown: {type(error).__name__}>"
    text = printable(text[: _LONGEST * 2]).replace("\n", "\\n").replace("\t", "\\t")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


# -------------------------------------------------------------------------------------------------------------- HTML
def _alone(run: Run) -> str:
    chained = any(row.mark for row in run.rows)
    body = "".join(_row_html(number, row, chained) for number, row in enumerate(run.rows))
    widths = {"row": "16%", "what was done": "40%", "what came of it": "32%", **({"hash": "12%"} if chained else {})}
    titles = "".join(header(text, "col", f"font-weight:bold;width:{width}") for text, width in widths.items())
    return _box(run.kind, [run], f'<table style="{TABLE}"><tr>{titles}</tr>{body}</table>')


def _row_html(number: int, row: Row, chained: bool) -> str:
    broken = ""
    if row.link:
        words = f"{badge('bad', _BROKEN[2:])} {said(row.link)}"
        broken = f'<tr><td colspan="4" style="{CELL};{edge("bad")}">{words}</td></tr>'
    cells = f'<td style="{CELL}">{code(row.head)}</td><td style="{CELL}">{code(row.body)}</td>'
    digest = f'<td style="{CELL}">{code(row.mark)}</td>' if chained else ""
    return f"{broken}<tr>{header(_label(number, row), 'row', edge(row.tone))}{cells}{digest}</tr>"


def _label(number: int, row: Row) -> str:
    words = _WORDS[row.tone]
    return f"{number} &nbsp;{badge(row.tone, words)}" if words else str(number)


def _beside(one: Run, other: Run, parts_at: int | None) -> str:
    """Two runs in one table, row beside row."""
    body = ""
    for number, (left, right) in enumerate(zip_longest(one.rows, other.rows)):
        differ = not _alike(left, right)
        words = "▸ <b>they part here</b>" if number == parts_at else "≠ differs" if differ else "the same"
        tone: Tone = "bad" if differ else "plain"
        cells = "".join(f'<td style="{CELL}">{_cell(row)}</td>' for row in (left, right))
        body += f"<tr>{header(f'{number} {words}', 'row', edge(tone))}{cells}</tr>"
    widths = {"row": "18%", "one": "41%", "the other": "41%"}
    heads = "".join(header(text, "col", f"font-weight:bold;width:{width}") for text, width in widths.items())
    kind = one.kind if one.kind == other.kind else f"{one.kind} and {other.kind}"
    return _box(f"two runs: {kind}", [one, other], f'<table style="{TABLE}"><tr>{heads}</tr>{body}</table>')


def _cell(row: Row | None) -> str:
    if row is None:
        return "nothing"
    words = _WORDS[row.tone]
    came = f"<br>→ {code(row.body)}" if row.body else ""
    return f"{f'{badge(row.tone, words)} ' if words else ''}{code(row.head)}{came}"


def _box(title: str, runs: Sequence[Run], table: str) -> str:
    meters = ""
    for run in runs:
        shown = [meter(one.name, one.used, one.most) for one in run.meters if one.most is not None]
        meters += f"<span>{' &nbsp; '.join(shown)}</span>" if shown else ""
    head = f'<div style="{HEAD}"><b>{escape(title)}</b>{meters}</div>'
    return f'<section aria-label="{escape(title)}" style="{BOX};overflow-x:auto">{head}{table}</section>'
