"""The ledger beside the receipt, step by step, and two long values as a diff: what `display` and the terminal show."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from typing import Literal

from grader.engine.verdict import Finding

NO_CALL, NO_STEP, RAISED = "no call", "no step", "no step, since the call raised"
_LONG = 60  # characters from which on two values are easier to compare as a diff
_LONGEST = 2_000  # characters that are compared
_ALIKE = 0.35  # two values less alike than this are shown as they are: a diff of them is noise
_MOST_LINES = 10
_PIECES = re.compile(r"(?<=,) (?=\S)|(?<=\\n)(?=.)|(?<=[.;]) (?=\S)|\n")


@dataclass(frozen=True)
class Pair:
    """One row. ledger, receipt: a call and a step, "" where there is none; `parts`: the first row in which they part.

    how: "same", "raised" (a call that is rightly no step) or "differs".
    """

    ledger: str
    receipt: str
    how: Literal["same", "raised", "differs"]
    parts: bool = False

    @property
    def left(self) -> str:
        """The ledger's text, in words where there is no call."""
        return self.ledger or NO_CALL

    @property
    def right(self) -> str:
        """The receipt's text, in words where there is no step."""
        return self.receipt or (RAISED if self.how == "raised" else NO_STEP)


def pairs(finding: Finding) -> list[Pair]:
    """The rows of ledger and receipt. Empty where the two agree, or where there is no receipt."""
    ledger, receipt = list(finding.happened), list(finding.reported or ())
    if finding.parts_at is None:
        return []
    rows, step = [], 0
    # A list that was cut ends with how many more there are: where they part behind that, its last row stands for it.
    cut = bool(ledger) and ledger[-1].startswith("… and ")
    parts_at = min(finding.parts_at, len(ledger) - 1) if cut else finding.parts_at
    for call in ledger[:parts_at]:
        if step < len(receipt) and receipt[step] == call:
            rows.append(Pair(call, receipt[step], "same"))
            step += 1
        else:
            rows.append(Pair(call, "", "raised"))
    rest = _rest(ledger[parts_at:], receipt[step:])
    return [*rows, *(Pair(a, b, "same" if a == b and n else "differs", n == 0) for n, (a, b) in enumerate(rest))]


def _rest(ledger: Sequence[str], receipt: Sequence[str]) -> list[tuple[str, str]]:
    """What comes from the parting on, with the lines that are in both beside each other."""
    rows: list[tuple[str, str]] = []
    for _, a, b, c, d in SequenceMatcher(None, ledger, receipt, autojunk=False).get_opcodes():
        left, right = list(ledger[a:b]), list(receipt[c:d])
        longest = max(len(left), len(right))
        rows += zip(left + [""] * (longest - len(left)), right + [""] * (longest - len(right)), strict=True)
    return rows


def difference(finding: Finding) -> list[str]:
    """Expected and got as the lines of a unified diff, without its headers; empty where both are read at a glance."""
    got, expected = finding.got[:_LONGEST], finding.expected[:_LONGEST]
    place, equals, value = got.partition(" = ")
    if equals and not expected.startswith(place):
        got = value
    if min(len(got), len(expected)) < _LONG or SequenceMatcher(None, expected, got).quick_ratio() < _ALIKE:
        return []
    lines = list(unified_diff(_pieces(expected), _pieces(got), lineterm="", n=1))[2:]
    if len([line for line in lines if line.startswith("@@")]) > 3:
        return []
    shown = ["…" if line.startswith("@@") else line for line in lines]
    shown = shown[1:] if lines and lines[0].startswith("@@ -1") else shown
    return shown if len(shown) <= _MOST_LINES else [*shown[: _MOST_LINES - 1], "…"]


def _pieces(value: str) -> list[str]:
    return _PIECES.split(value)
