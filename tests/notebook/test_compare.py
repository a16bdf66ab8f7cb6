"""`compare`: yours beside what it should be, also while the stub raises."""

from typing import Any

import pytest

from grader import compare
from grader.notebook.compare import Comparison


def test_a_value_stands_beside_what_was_expected() -> None:
    assert repr(compare(lambda: 3, 3)).splitlines() == ["value", "  yours     3", "  expected  3  same"]
    assert repr(compare(lambda: 2, 3)).splitlines()[-1] == "  expected  3  differs"


def test_the_keys_of_a_receipt_are_compared_and_steps_by_their_number() -> None:
    receipt = {"steps": [1, 2], "stopped_because": "budget"}
    rows = compare(lambda: receipt, steps=2, stopped_because="answered", answer=None).rows
    assert rows == [("steps", "2", "2"), ("stopped_because", "'budget'", "'answered'"), ("answer", "None", "None")]


def raises(error: Exception) -> Any:
    raise error


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (NotImplementedError("ch05-e1: three ways to end"), "not written yet (ch05-e1: three ways to end)"),
        (KeyError("x"), "yours raised KeyError: 'x'"),
    ],
)
def test_code_that_raises_is_a_note_and_no_crash(error: Exception, note: str) -> None:
    shown = compare(lambda: raises(error), steps=2)
    assert shown.note == note
    assert shown.rows == [("steps", "–", "2")]
    assert note in repr(shown) and "differs" not in repr(shown)


def test_something_that_is_no_receipt_has_no_keys() -> None:
    assert compare(lambda: None, steps=2).rows == [("steps", "None", "2")]


def test_values_that_differ_behind_the_cut_differ() -> None:
    shown = compare(lambda: "x" * 300 + "y", "x" * 300 + "z")
    assert "differs" in repr(shown) and "differs" in shown._repr_html_()
    assert max(map(len, repr(shown).splitlines())) < 230


def test_no_value_becomes_html() -> None:
    hostile = "<script>alert(1)</script>"
    text = compare(lambda: hostile, **{hostile: hostile})._repr_html_()
    assert "<script" not in text
    assert "<script" not in Comparison([], hostile)._repr_html_()


def test_leaving_is_not_swallowed() -> None:
    with pytest.raises(SystemExit):
        compare(lambda: (_ for _ in ()).throw(SystemExit))


def test_a_value_whose_repr_raises_is_named_by_its_type() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise KeyError("no")

    shown = compare(lambda: Broken(), 3)
    assert "<Broken that cannot be shown: KeyError>" in repr(shown) and "differs" in shown._repr_html_()


def test_what_a_terminal_or_a_browser_would_obey_is_spelled_out() -> None:
    shown = compare(lambda: None, **{"\x1b[2J\u202e": 1})
    assert not {"\x1b", "\u202e"} & set(repr(shown) + shown._repr_html_())
