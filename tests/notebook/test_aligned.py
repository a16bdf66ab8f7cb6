"""Ledger beside receipt, row by row, and two long values as a diff."""

import pytest

from grader.engine.verdict import Finding
from grader.notebook.aligned import difference, pairs


def rows(ledger: str, receipt: str, parts_at: int | None) -> list[tuple[str, str, str, bool]]:
    made = pairs(Finding(happened=tuple(ledger.split()), reported=tuple(receipt.split()), parts_at=parts_at))
    return [(pair.left, pair.right, pair.how, pair.parts) for pair in made]


def test_a_receipt_that_agrees_needs_no_second_column() -> None:
    assert rows("a b", "a b", None) == []


def test_a_call_that_raised_is_rightly_no_step_and_shifts_nothing() -> None:
    assert rows("a boom b", "a c", 2) == [
        ("a", "a", "same", False),
        ("boom", "no step, since the call raised", "raised", False),
        ("b", "c", "differs", True),
    ]


@pytest.mark.parametrize(
    ("ledger", "receipt", "parts_at", "wanted"),
    [
        ("a b", "a", 1, [("a", "a", "same", False), ("b", "no step", "differs", True)]),
        ("a", "a b", 1, [("a", "a", "same", False), ("no call", "b", "differs", True)]),
        ("b c", "x b c", 0, [("no call", "x", "differs", True), ("b", "b", "same", False), ("c", "c", "same", False)]),
        ("", "x", 0, [("no call", "x", "differs", True)]),
    ],
    ids=["a step is left out", "a step is invented at the end", "a step is invented first", "nothing ran"],
)
def test_what_comes_after_the_parting_stands_beside_its_like(
    ledger: str, receipt: str, parts_at: int, wanted: list[tuple[str, str, str, bool]]
) -> None:
    assert rows(ledger, receipt, parts_at) == wanted


def test_a_parting_behind_the_cut_is_marked_at_the_last_row() -> None:
    made = pairs(Finding(happened=("a", "… and 90 more"), reported=("a", "… and 91 more"), parts_at=50))
    assert [pair.parts for pair in made] == [False, True]


LONG = "[{'tool': 'atlas_index', 'args': {'topic': 'iron'}, 'result': 'amber 1'}, {'tool': 'reef_gauge', 'args': {}}]"


def test_long_values_are_compared_piece_by_piece_and_the_place_is_no_part_of_the_value() -> None:
    finding = Finding(expected=LONG, got=f"the returned value['steps'] = {LONG.replace('amber 1', 'amber 2')}")
    assert [line for line in difference(finding) if line[0] in "+-"] == [
        "-'result': 'amber 1'},",
        "+'result': 'amber 2'},",
    ]


@pytest.mark.parametrize(
    ("expected", "got"),
    [("3", "4"), ("x" * 70, "entirely " * 9), ("a refusal that names the tool", LONG)],
    ids=["short", "nothing alike", "a sentence and a value"],
)
def test_what_is_read_at_a_glance_or_has_nothing_in_common_is_no_diff(expected: str, got: str) -> None:
    assert difference(Finding(expected=expected, got=got)) == []
