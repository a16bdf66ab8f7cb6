"""A verdict in a terminal: the words of the notebook, wrapped to the width, ledger beside receipt."""

import io
import re
from dataclasses import replace

import pytest
import test_display
from rich.console import Console

from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.notebook.display import rows_of
from grader.notebook.terminal import drawn

PARTED = replace(test_display.PARTED, returned="")


def on_screen(verdict: Verdict, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, highlight=False)
    console.print(drawn(verdict))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def failed(finding: Finding | None, status: str = "failed", reason: str = "") -> Verdict:
    cases = (CaseResult("a", "it stops", "passed", 2, 2), CaseResult("b", "it says so", status, 0, 1, reason, finding))
    return Verdict("ch05-e2", "A refusal is a contract", cases)


def test_the_parting_stands_beside_its_step() -> None:
    text = on_screen(failed(PARTED), 100)
    assert re.search(r"▸ 2\. +quarry_gauge\(\{'n': 2\}\) -> 'b' +no step", text)
    assert "2 of 3 points" in text and "✓ it stops" in text and "✗ it says so" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_nothing_is_wider_than_the_terminal_and_no_word_is_lost(width: int) -> None:
    text = on_screen(failed(PARTED), width)
    assert max(map(len, text.splitlines())) <= width
    for label, said in rows_of(failed(PARTED).cases[1])[:4]:
        assert label in text and all(word in re.sub(r"\s", "", text) for word in said.split())


def test_a_case_that_did_not_end_says_how_and_why() -> None:
    text = on_screen(failed(None, "timed_out", "did not return within 2 s"), 80)
    assert "! it says so" in text and re.search("timed out +did not return within 2 s", text)


def test_the_terminal_obeys_nothing_that_is_shown() -> None:
    loud = "\x1b[2J\u202e" * 100_000
    text = on_screen(failed(Finding(got=loud, expected=loud, happened=(loud,), reported=(), parts_at=0)), 80)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", text) and len(text) < 20_000
