"""A verdict in a terminal, drawn by `rich`: the words of `as_text`, wrapped, with the ledger beside the receipt."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from course.markup import printable, short
from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.notebook.aligned import pairs
from grader.notebook.display import MARKS, happened_of, points_of, said_of, stub_again

_LINE = 1_000  # characters of one value, at most
_STYLES = {"passed": "green", "failed": "red"}


def drawn(verdict: Verdict) -> RenderableType:
    """The verdict for a console that is a terminal; in a pipe `as_text` says the same."""
    head = Table.grid(expand=True, padding=(0, 2))
    head.add_column(ratio=1)
    head.add_column(justify="right", no_wrap=True)
    name = Text.assemble((verdict.exercise, "bold"), "  ", printable(short(verdict.title, _LINE)))
    head.add_row(name, Text(points_of(verdict), "bold"))
    return Group(head, *(part for case in verdict.cases for part in _case(case, stub_again(verdict, case))))


def _case(case: CaseResult, title_alone: bool) -> list[RenderableType]:
    mark = Text(MARKS.get(case.status, "!"), f"bold {_STYLES.get(case.status, 'yellow')}")
    title = Table.grid(padding=(0, 1))
    title.add_row("", mark, Text(printable(short(case.title, _LINE))))
    if title_alone:
        return [title]
    rows = Table.grid(padding=(0, 1))
    rows.add_column(width=19, justify="left")
    for label, text in said_of(case):
        rows.add_row(Text(f"      {label}"), Text(short(text, _LINE), "bold" if label == "because" else ""))
    parts: list[RenderableType] = [title, *([rows] if rows.row_count else [])]
    if case.finding is not None and not case.finding.got.startswith("NotImplementedError"):
        parts += _ledger(case.finding, rows)
    return parts


def _ledger(finding: Finding, rows: Table) -> list[RenderableType]:
    aligned = pairs(finding)
    if not aligned:
        if finding.happened:
            rows.add_row(Text("      what happened"), Text(short(happened_of(finding), _LINE)))
        return []
    table = Table("", "what happened", "your receipt", box=None, padding=(0, 1), header_style="bold")
    for number, pair in enumerate(aligned, 1):
        style = "" if pair.how != "differs" else "red"
        mark = f"{'▸' if pair.parts else ' '} {number}."
        right = "the same" if pair.how == "same" else pair.right
        table.add_row(*(Text(short(text, _LINE), style) for text in (mark, pair.left, right)))
    grid = Table.grid()
    grid.add_row("     ", table)
    return [grid]
