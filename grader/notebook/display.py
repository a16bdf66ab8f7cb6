"""How a verdict looks: the same record as plain text (terminal, kernel without HTML) and as HTML (notebook, report)."""

import os
from collections.abc import Sequence
from html import escape
from typing import Any, Literal

from course.markup import BOX, CELL, HEAD, MONO, TABLE, Tone, badge, code, edge, header, printable, said, short
from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.notebook.aligned import Pair, difference, pairs

MOST_BYTES = 30_000  # of the HTML of one verdict, whatever is in it
LEGEND = "− expected, + yours"
_WIDTH = 78
_LINE = 1_000  # characters of one line, at most
Detail = Literal["open", "full", "lines", "none", "title"]  # how a case is shown; the first that did not pass is open
# Characters of one value and the detail of the other cases, tried in turn until the HTML is small enough.
_TRIES: tuple[tuple[int, Detail], ...] = ((1_000, "full"), (400, "lines"), (160, "lines"), (160, "none"), (40, "none"))
_MOST_CASES = 30
NOT_WRITTEN = "not written"
_PAIR = "display:flex;flex-wrap:wrap;margin:3px 0"
_TERM = "flex:0 0 8.5em;margin:0;padding-left:6px;font-weight:normal"
_SAID = "flex:1 1 16em;min-width:0;margin:0"
_NO_FOLD = "padding-left:1.1em"  # the width of the triangle of a case that unfolds
MARKS = {"passed": "✓", "failed": "✗"}
_SIDES: dict[str, Tone] = {"expected": "good", "got": "bad"}
_CODE = (
    "the check ran",
    "you returned",
    "expected",
    "got",
    "your code",
    "what happened",
    "your receipt",
    "where they part",
)


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
        below = f'<div style="margin:2px 12px">{escape(self.progress)}</div>' if self.progress else ""
        return as_html(self.verdict) + below

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Both forms in one: each front end takes the richest that it can show."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def as_text(verdict: Verdict) -> str:
    """The verdict in lines: a heading, then one block a case."""
    head = f"{verdict.exercise}  {verdict.title}"
    points = points_of(verdict)
    lines = [f"{head}{points:>{max(len(points) + 2, _WIDTH - len(head))}}"]
    for case in verdict.cases:
        lines.append(f"  {MARKS.get(case.status, '!')} {case.title}")
        if not stub_again(verdict, case):
            lines += [f"      {label:<14} {short(text, _LINE)}" for label, text in rows_of(case)]
    return "\n".join(lines)


def points_of(verdict: Verdict) -> str:
    """`2 of 4 points`."""
    return f"{verdict.points} of {verdict.max_points} points"


def rows_of(case: CaseResult) -> list[tuple[str, str]]:
    """What there is to say of a case that did not pass, as (label, text)."""
    rows = said_of(case)
    if case.finding is None or _is_stub(case):
        return rows
    return [*rows, *_side_by_side(case.finding)]


def said_of(case: CaseResult) -> list[tuple[str, str]]:
    """The same without ledger and receipt, which stand beside each other where there is room."""
    if case.finding is not None and _is_stub(case):
        return [(NOT_WRITTEN, case.finding.got.partition(": ")[2] or "the stub is still there")]
    rows = []
    if case.status not in MARKS:
        rows.append((case.status.replace("_", " "), case.reason))
    elif case.reason and case.status != "passed":
        rows.append(("because", case.reason))
    if case.finding is not None:
        rows += _finding_rows(case.finding)
    return [(label, text) for label, text in rows if text]


def happened_of(finding: Finding) -> str:
    """The calls that reached a tool, in one line, where no receipt parts from them."""
    return "" if finding.parts_at is not None else "   ·   ".join(finding.happened)


def stub_again(verdict: Verdict, case: CaseResult) -> bool:
    """Whether a case met the stub that an earlier case has named already."""
    return _is_stub(case) and case is not next(filter(_is_stub, verdict.cases))


def _is_stub(case: CaseResult) -> bool:
    return case.finding is not None and case.finding.got.startswith("NotImplementedError")


def _finding_rows(finding: Finding) -> list[tuple[str, str]]:
    return [
        *_block("the check ran", finding.call.splitlines()),
        ("you returned", finding.returned),
        ("expected", finding.expected),
        ("got", finding.got),
        *_block("where they part", [LEGEND, *parted] if (parted := difference(finding)) else []),
        ("because", finding.because),
        *_block("your code", finding.traceback),
    ]


def _block(label: str, lines: Sequence[str]) -> list[tuple[str, str]]:
    """Several lines below one label."""
    return [(label if n == 0 else "", line) for n, line in enumerate(lines)]


def _side_by_side(finding: Finding) -> list[tuple[str, str]]:
    """The ledger; and where the receipt parts from it, the receipt too: equal numbers, the first parting marked."""
    aligned = pairs(finding)
    if not aligned:
        return [("what happened", happened_of(finding))] if finding.happened else []
    return [
        *_block("what happened", _column([(pair.left, pair.parts) for pair in aligned])),
        *_block("your receipt", _column([(pair.right, pair.parts) for pair in aligned])),
    ]


def _column(lines: Sequence[tuple[str, bool]]) -> list[str]:
    return [f"{'▸' if marked else ' '} {number}. {line}" for number, (line, marked) in enumerate(lines, 1)]


# ----------------------------------------------------------------------------------------------------------------- HTML
def as_html(verdict: Verdict) -> str:
    """The verdict as styled divs: inline styles only, no script, nothing fetched; readable without colour.

    The first case that did not pass is unfolded, since one thing is put right at a time. Never larger than
    `MOST_BYTES`: the other cases become plain lines, long values are cut shorter, at last only the first is particular.
    """
    for most, others in _TRIES:
        html = _html(verdict, most, others)
        if len(html.encode("utf-8")) < MOST_BYTES:
            break
    return html


def _html(verdict: Verdict, most: int, others: Detail) -> str:
    first = next((number for number, case in enumerate(verdict.cases) if case.status != "passed"), None)
    shown = verdict.cases[:_MOST_CASES]
    cases = ""
    for number, case in enumerate(shown):
        detail: Detail = "title" if stub_again(verdict, case) else "open" if number == first else others
        cases += f'<li style="margin:4px 0;padding:0">{_case_html(case, most, detail)}</li>'
    left_out = (
        f"<div>… and {len(verdict.cases) - len(shown)} more cases</div>" if len(shown) < len(verdict.cases) else ""
    )
    title, points = printable(short(verdict.title, most)), points_of(verdict)
    name = printable(short(verdict.exercise, most))
    words = verdict.status.replace("_", " ")
    label = escape(f"{name} {title}: {words}, {points}")
    return (
        f'<section aria-label="{label}" style="{BOX}">'
        f'<div style="{HEAD}"><span><b>{escape(name)}</b> &nbsp;{said(title)}</span>'
        f"<span>{badge(_tone(verdict.status), words)} &nbsp;{points}</span></div>"
        f'<ul style="list-style:none;margin:4px 0 0 0;padding:0">{cases}</ul>{left_out}</section>'
    )


def _tone(status: str) -> Tone:
    return "good" if status == "passed" else "bad"


def _case_html(case: CaseResult, most: int, detail: Detail) -> str:
    mark = badge("plain", NOT_WRITTEN) if _is_stub(case) else badge(_tone(case.status), case.status.replace("_", " "))
    title = f"{mark} &nbsp;{said(short(case.title, most))}"
    if detail == "title" or not rows_of(case):
        return f'<div style="{_NO_FOLD}">{title}</div>'
    if detail == "none":
        return f'<div style="{_NO_FOLD}">{title} (its particulars would be too long)</div>'
    if detail == "lines":
        lines = "\n".join(f"{label:<14} {short(text, most)}" for label, text in rows_of(case))
        body = f'<pre style="margin:2px 0 6px 12px;{MONO}">{code(lines)}</pre>'
    else:
        finding = None if _is_stub(case) else case.finding
        rows = [(label, short(text, most)) for label, text in said_of(case)]
        body = _rows_html(rows) + (_ledger_html(finding, most) if finding is not None else "")
    return f"<details{' open' if detail == 'open' else ''}><summary>{title}</summary>{body}</details>"


def _rows_html(rows: Sequence[tuple[str, str]]) -> str:
    """Terms and what is said of them: beside each other, and on a narrow screen below each other."""
    body = ""
    for label, text in _joined(rows):
        tone = _SIDES.get(label)
        style = f"{_SAID};{edge(tone)}" if tone else f"{_SAID};padding-left:12px"
        value = f"<b>{said(text)}</b>" if label == "because" else code(text) if label in _CODE else said(text)
        body += f'<div style="{_PAIR}"><dt style="{_TERM}">{escape(label)}</dt><dd style="{style}">{value}</dd></div>'
    return f'<dl style="margin:2px 0 6px 0">{body}</dl>' if body else ""


def _joined(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Rows in which several lines below one label are one text."""
    joined: list[tuple[str, str]] = []
    for label, text in rows:
        if label or not joined:
            joined.append((label, text))
        else:
            joined[-1] = (joined[-1][0], f"{joined[-1][1]}\n{text}")
    return joined


def _ledger_html(finding: Finding, most: int) -> str:
    """What happened: alone where the receipt agrees, beside the receipt where it does not."""
    aligned = pairs(finding)
    if not aligned:
        items = "".join(f"<li>{code(short(line, most))}</li>" for line in finding.happened)
        return f'<div style="{CELL}">what happened</div><ol style="margin:0 0 6px 0">{items}</ol>' if items else ""
    # Lab lays tables out by their first row.
    widths = {"step": "17%", "what happened": "45%", "your receipt": "38%"}
    heads = "".join(header(text, "col", f"font-weight:bold;width:{width}") for text, width in widths.items())
    body = "".join(_pair_html(number, pair, most) for number, pair in enumerate(aligned, 1))
    caption = f'<caption style="{CELL};caption-side:top">what happened beside what your receipt says</caption>'
    return f'<table style="{TABLE}">{caption}<tr>{heads}</tr>{body}</table>'


def _pair_html(number: int, pair: Pair, most: int) -> str:
    tone: Tone = "bad" if pair.how == "differs" else "plain"
    left, right = (short(text, most) for text in (pair.left, pair.right))
    theirs = {"same": "the same", "raised": said(right)}.get(pair.how) or (code(right) if pair.receipt else said(right))
    mine = code(left) if pair.ledger else said(left)
    mark = f"{number} ▸ <b>they part here</b>" if pair.parts else str(number)
    cells = f'<td style="{CELL}">{mine}</td><td style="{CELL}">{theirs}</td>'
    return f"<tr>{header(mark, 'row', edge(tone))}{cells}</tr>"
