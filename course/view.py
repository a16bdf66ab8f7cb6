"""A run as a picture: `show(receipt)`, `show(records)`, `show(path)`, or two of them side by side.

Receipts, transcripts and traces become the same rows: what was asked, what came back, what it cost, why it stopped.
The picture is made of styled divs with inline styles and no script, which every notebook front end keeps; the same
rows are the text that a terminal shows. Whatever a tool returned is escaped, made one line and cut.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

Tone = Literal["good", "bad", "plain", "stop"]

_MARKS: Mapping[Tone, str] = {"good": "✓", "bad": "✗", "plain": "·", "stop": "■"}
_COLOURS: Mapping[Tone, str] = {"good": "#1f8f56", "bad": "#d0492f", "plain": "#808080", "stop": "#808080"}
_ANSWERING = ("no_tool_calls", "sentinel")  # the stops of the budgeted loop that carry an answer
_LONGEST = 160  # characters of one value
_MOST_ROWS = 200
_BOX = "border:1px solid #8888;border-radius:6px;padding:8px 12px;margin:4px 0;max-width:60em"
_CELL = "padding:1px 10px 1px 0;text-align:left;vertical-align:top"
_CODE = f"{_CELL};font-family:monospace;font-size:90%;white-space:pre-wrap;overflow-wrap:anywhere"


@dataclass(frozen=True)
class Row:
    """One line of a run. tone: how it went; head: what was done; body: what came of it; link: what broke the chain."""

    tone: Tone
    head: str
    body: str = ""
    link: str = ""


@dataclass(frozen=True)
class Run:
    """A run in rows. kind: receipt, transcript or trace; used, budget: of calls or steps, where the run says so."""

    kind: str
    rows: list[Row]
    used: int | None = None
    budget: int | None = None


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
        return next((number for number, (one, other) in enumerate(pairs) if one != other), None)

    def __repr__(self) -> str:
        return "\n\n".join("\n".join(self._lines(run)) for run in self.runs)

    def _repr_html_(self) -> str:
        inner = "".join(f'<div style="flex:1;min-width:20em">{self._html(run)}</div>' for run in self.runs)
        return f'<div style="display:flex;flex-wrap:wrap;gap:8px">{inner}</div>'

    def _lines(self, run: Run) -> Iterator[str]:
        yield f"{run.kind}, {_budget_text(run)}" if run.budget is not None else run.kind
        for number, row in enumerate(run.rows):
            if row.link:
                yield f"    ╳ the chain is broken here: {row.link}"
            pointer = "▸" if number == self.parts_at else " "
            yield f"{pointer} {_MARKS[row.tone]} {row.head}{f' -> {row.body}' if row.body else ''}"

    def _html(self, run: Run) -> str:
        rows = "".join(self._row_html(number, row) for number, row in enumerate(run.rows))
        budget = ""
        if run.budget is not None and run.used is not None:
            bar = f'<progress value="{run.used}" max="{max(run.budget, 1)}"></progress>'
            budget = f"<span>{bar} {escape(_budget_text(run))}</span>"
        head = f'<div style="display:flex;justify-content:space-between"><b>{run.kind}</b>{budget}</div>'
        return f'<div style="{_BOX}">{head}<table style="border-collapse:collapse">{rows}</table></div>'

    def _row_html(self, number: int, row: Row) -> str:
        link = ""
        if row.link:
            said = f"╳ the chain is broken here: {escape(row.link)}"
            link = f'<tr><td colspan="3" style="{_CELL};color:{_COLOURS["bad"]};font-weight:bold">{said}</td></tr>'
        pointer = "▸ " if number == self.parts_at else ""
        mark = f"{pointer}{_MARKS[row.tone]}"
        texts = f'<td style="{_CODE}">{escape(row.head)}</td><td style="{_CODE}">{escape(row.body)}</td>'
        return f'{link}<tr><td style="{_CELL};color:{_COLOURS[row.tone]};font-weight:bold">{mark}</td>{texts}</tr>'


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
    if isinstance(value, Sequence) and not isinstance(value, str):
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
    rows.append(_stop(reason, receipt.get("answer"), receipt.get("refusal"), reason == "answered"))
    return Run("receipt", rows)


def _call(step: Any) -> tuple[str, str]:
    if not isinstance(step, Mapping):
        return _short(step), ""
    return f"{step.get('tool')}({_short(step.get('args'))})", _short(step.get("result"))


def _transcript(records: Sequence[Any]) -> Run:
    """A transcript's records, with what `verify_records` finds wrong drawn as the broken link before its record."""
    from course.transcript import verify_records

    faults: dict[int, str] = {}
    for fault in verify_records(records):
        faults.setdefault(fault.index, f"{fault.kind}: {fault.detail}")
    rows = [_record_row(record, faults.get(number, "")) for number, record in enumerate(records[:_MOST_ROWS])]
    steps = sum(isinstance(one, Mapping) and one.get("kind") == "assistant" for one in records)
    return Run("transcript", rows, steps, _most_steps(records))


def _most_steps(records: Sequence[Any]) -> int | None:
    first = records[0] if records and isinstance(records[0], Mapping) else {}
    payload = first.get("payload")
    budgets = payload.get("budgets") if isinstance(payload, Mapping) else None
    most = budgets.get("max_steps") if isinstance(budgets, Mapping) else None
    return most if isinstance(most, int) else None


def _record_row(record: Any, link: str) -> Row:
    payload = record.get("payload") if isinstance(record, Mapping) else None
    if not isinstance(payload, Mapping):
        return Row("plain", _short(record), link=link)
    kind = str(record.get("kind"))
    match kind:
        case "tool":
            ok = payload.get("ok") is True
            came = payload.get("result") if ok else payload.get("error")
            return Row(
                "good" if ok else "bad", f"{payload.get('name')}({_short(payload.get('args'))})", _short(came), link
            )
        case "assistant":
            calls = payload.get("tool_calls")
            asked = ", ".join(str(one.get("name")) for one in calls) if isinstance(calls, list) else ""
            return Row("plain", f"assistant: {_short(payload.get('text'))}", f"asks for {asked}" if asked else "", link)
        case "stop":
            reason = str(payload.get("reason"))
            good = reason in _ANSWERING
            stop = _stop(reason, payload.get("answer"), None if good else payload.get("detail"), good)
            return Row(stop.tone, stop.head, stop.body, link)
        case _:
            return Row("plain", f"{kind}: {_short(payload.get('task', dict(payload)))}", "", link)


def _trace(records: Sequence[Any]) -> Run:
    rows: list[Row] = []
    used, budget = 0, None
    for record in records[:_MOST_ROWS]:
        kind = record.get("type") if isinstance(record, Mapping) else None
        if kind == "run_start":
            budget = record.get("max_steps") if isinstance(record.get("max_steps"), int) else None
            rows.append(Row("plain", f"task: {_short(record.get('task'))}"))
        elif kind == "step":
            used += 1
            rows.append(_step_row(record))
        elif kind == "run_end":
            status = str(record.get("status"))
            rows.append(_stop(status, record.get("answer"), record.get("error"), status == "completed"))
        else:
            rows.append(Row("bad", _short(record)))
    return Run("trace", rows, used, budget)


def _step_row(step: Mapping[str, Any]) -> Row:
    decision: Any = step.get("decision") if isinstance(step.get("decision"), Mapping) else {}
    judgments = [one for one in step.get("judgments") or [] if isinstance(one, Mapping)]
    scores = " ".join(f"{one.get('verifier')} {one.get('score')}" for one in judgments)
    blocked = [one for one in judgments if one.get("passed") is False]
    call, observation = decision.get("tool_call"), step.get("observation")
    seen = observation if isinstance(observation, Mapping) else {}
    if isinstance(call, Mapping):
        head = f"{call.get('tool')}({_short(call.get('args'))})"
        body = _short(seen.get("content")) if seen else str(blocked[0].get("reason")) if blocked else ""
        tone: Tone = "good" if seen.get("ok") is True and not blocked else "bad"
    else:
        head, body, tone = f"answer: {_short(decision.get('answer'))}", "", "bad" if blocked else "good"
    return Row(tone, head, f"{body}  [{scores}]" if scores else body)


# ------------------------------------------------------------------------------------------------------------ pieces
def _stop(reason: str, answer: object, why_not: object, good: bool) -> Row:
    """The closing row; an answer on a stop that was not one, or two voices at once, is shown as what it is."""
    both = answer is not None and why_not is not None
    said = [f"answer {_short(answer)}"] * (answer is not None) + [_short(why_not)] * (why_not is not None)
    honest = (answer is not None) == good and not both
    return Row("stop" if honest else "bad", f"stopped: {reason}", "  and  ".join(said))


def _budget_text(run: Run) -> str:
    return f"{run.used} of {run.budget} steps used"


def _short(value: object) -> str:
    """A value on one line, cut, with what no terminal should see written out."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} that cannot be shown: {type(error).__name__}>"
    text = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text[: _LONGEST * 2])
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
