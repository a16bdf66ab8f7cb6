"""How a verdict looks: the same record as plain text (terminal, kernel without HTML) and as HTML (notebook, report)."""

import os
from collections.abc import Sequence
from html import escape

from grader.engine.verdict import CaseResult, Finding, Verdict

_WIDTH = 78
_MARKS = {"passed": "✓", "failed": "✗"}
_LABEL = "padding:1px 12px 1px 0;text-align:left;vertical-align:top;white-space:nowrap"
_LINE = "padding:1px 0;text-align:left;white-space:pre-wrap;overflow-wrap:anywhere;font-family:monospace;font-size:90%"


class Shown:
    """A verdict as a cell's last line shows it.

    verdict: the record; passed: whether every case passed; progress: one line that stands below it.
    """

    def __init__(self, verdict: Verdict, progress: str = "") -> None:
        self.verdict = verdict
        self.passed = verdict.passed
        self.progress = progress

    def __repr__(self) -> str:
        # nbgrader takes a number that a check cell shows for its points, and anything else for full marks.
        if "NBGRADER_EXECUTION" in os.environ:
            return str(self.verdict.points)
        return "\n".join([as_text(self.verdict), *([self.progress] if self.progress else [])])

    def _repr_html_(self) -> str:
        below = f'<div style="margin:2px 12px;opacity:0.75">{escape(self.progress)}</div>' if self.progress else ""
        return as_html(self.verdict) + below


def as_text(verdict: Verdict) -> str:
    """The verdict in lines: a heading, then one block a case."""
    head = f"{verdict.exercise}  {verdict.title}"
    points = f"{verdict.points} of {verdict.max_points} points"
    lines = [f"{head}{points:>{max(len(points) + 2, _WIDTH - len(head))}}"]
    for case in verdict.cases:
        lines.append(f"  {_MARKS.get(case.status, '!')} {case.title}")
        lines += [f"      {label:<14} {printable(text)}" for label, text in rows_of(case)]
    return "\n".join(lines)


def printable(text: str) -> str:
    """`text` with its control characters spelled out, since a terminal would obey them."""
    return "".join(char if char.isprintable() or char in "\n\t" else repr(char)[1:-1] for char in text)


def rows_of(case: CaseResult) -> list[tuple[str, str]]:
    """What there is to say of a case that did not pass, as (label, text)."""
    if case.finding is not None and case.finding.got.startswith("NotImplementedError"):
        return [("not written", case.finding.got.partition(": ")[2] or "the stub is still there")]
    rows = []
    if case.status not in _MARKS:
        rows.append((case.status.replace("_", " "), case.reason))
    elif case.reason and case.status != "passed":
        rows.append(("because", case.reason))
    if case.finding is not None:
        rows += _finding_rows(case.finding)
    return [(label, text) for label, text in rows if text]


def _finding_rows(finding: Finding) -> list[tuple[str, str]]:
    return [
        ("the check ran", finding.call),
        ("you returned", finding.returned),
        ("expected", finding.expected),
        ("got", finding.got),
        ("because", finding.because),
        ("your code", "  ·  ".join(finding.traceback)),
        *_side_by_side(finding),
    ]


def _side_by_side(finding: Finding) -> list[tuple[str, str]]:
    """The ledger; and where the receipt parts from it, the receipt too, with the first line of the ledger marked."""
    if finding.parts_at is None:
        return [("what happened", "   ·   ".join(finding.happened))]
    return [
        *_column("what happened", finding.happened, finding.parts_at, "no call reached a tool"),
        *_column("your receipt", finding.reported or (), None, "no steps"),
    ]


def _column(label: str, lines: Sequence[str], marked: int | None, nothing: str) -> list[tuple[str, str]]:
    if not lines:
        return [(label, nothing)]
    numbered = [f"{'▸' if n == marked else ' '} {n + 1}. {line}" for n, line in enumerate(lines)]
    return [(label if n == 0 else "", line) for n, line in enumerate(numbered)]


def as_html(verdict: Verdict) -> str:
    """The verdict as styled divs: inline styles only, no script, nothing fetched; readable without colour.

    The first case that did not pass is unfolded, since one thing is put right at a time.
    """
    first = next((case for case in verdict.cases if case.status != "passed"), None)
    cases = "".join(_case_html(case, unfolded=case is first) for case in verdict.cases)
    head = f"<b>{escape(verdict.exercise)}</b> &nbsp;{escape(verdict.title)}"
    points = f"{verdict.points} of {verdict.max_points} points"
    return (
        '<div style="border:1px solid #8888;border-radius:6px;padding:8px 12px;margin:4px 0;max-width:60em">'
        f'<div style="display:flex;justify-content:space-between"><span>{head}</span><span>{points}</span></div>'
        f"{cases}</div>"
    )


def _case_html(case: CaseResult, unfolded: bool) -> str:
    colour = "#1f8f56" if case.status == "passed" else "#d0492f"
    mark = _MARKS.get(case.status, "!")
    title = f'<span style="color:{colour};font-weight:bold">{mark}</span> {escape(case.title)}'
    rows = rows_of(case)
    if not rows:
        return f'<div style="margin:4px 0">{title}</div>'
    body = "".join(
        f'<tr><td style="{_LABEL}">{escape(label)}</td><td style="{_LINE}">{escape(text)}</td></tr>'
        for label, text in rows
    )
    return (
        f'<details{" open" if unfolded else ""} style="margin:4px 0"><summary>{title}</summary>'
        f'<table style="border-collapse:collapse;margin:2px 0 6px 1.2em">{body}</table></details>'
    )
