"""How a verdict looks: the same rows as text and as HTML, and nothing that a terminal or a browser would obey."""

import html
import re
from html.parser import HTMLParser

import pytest

from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.notebook.display import Shown, as_html, as_text, printable, rows_of

PARTED = Finding(
    expected="0",
    got="calls that reached quarry_gauge = 1",
    because="reporting a stop and stopping are different things",
    call="run_loop([...], {...}, budget=9)",
    returned="stopped_because='tool_error', answer=None, refusal='gone'",
    happened=("harbour_index({'n': 1}) -> 'a'", "quarry_gauge({'n': 2}) -> 'b'"),
    reported=("harbour_index({'n': 1}) -> 'a'",),
    parts_at=1,
)
ALIKE = Finding(expected="1", got="2", happened=("a({}) -> 1", "b({}) -> 2"))


def verdict(*cases: CaseResult) -> Verdict:
    return Verdict("ch05-e2", "A refusal is a contract", cases)


def failed(finding: Finding | None, status: str = "failed", reason: str = "") -> Verdict:
    return verdict(
        CaseResult("a", "it stops", "passed", 2, 2), CaseResult("b", "it says so", status, 0, 1, reason, finding)
    )


def test_the_text_of_a_verdict_reads_as_the_house_style_has_it() -> None:
    assert as_text(failed(PARTED)).splitlines() == [
        "ch05-e2  A refusal is a contract                                 2 of 3 points",
        "  ✓ it stops",
        "  ✗ it says so",
        "      the check ran  run_loop([...], {...}, budget=9)",
        "      you returned   stopped_because='tool_error', answer=None, refusal='gone'",
        "      expected       0",
        "      got            calls that reached quarry_gauge = 1",
        "      because        reporting a stop and stopping are different things",
        "      what happened    1. harbour_index({'n': 1}) -> 'a'",
        "                     ▸ 2. quarry_gauge({'n': 2}) -> 'b'",
        "      your receipt     1. harbour_index({'n': 1}) -> 'a'",
    ]


def test_calls_that_the_receipt_agrees_with_take_one_line() -> None:
    assert as_text(failed(ALIKE)).splitlines()[-1] == "      what happened  a({}) -> 1   ·   b({}) -> 2"


@pytest.mark.parametrize(
    ("finding", "rows"),
    [
        (
            Finding(happened=(), reported=("a({}) -> 1",), parts_at=0),
            [("what happened", "no call reached a tool"), ("your receipt", "  1. a({}) -> 1")],
        ),
        (
            Finding(happened=("a({}) -> 1",), reported=(), parts_at=0),
            [("what happened", "▸ 1. a({}) -> 1"), ("your receipt", "no steps")],
        ),
        (Finding(got="ValueError: x", traceback=("line 3, in f", "line 9, in g")),
         [("got", "ValueError: x"), ("your code", "line 3, in f  ·  line 9, in g")]),
    ],
    ids=["an invented call", "a call that is left out", "an exception"],
)  # fmt: skip
def test_a_finding_shows_what_there_is_and_no_empty_rows(finding: Finding, rows: list[tuple[str, str]]) -> None:
    assert rows_of(CaseResult("b", "b", "failed", 0, 1, "", finding)) == rows


@pytest.mark.parametrize("status", ["timed_out", "crashed", "not_found", "out_of_memory", "not_judged"])
def test_a_case_that_did_not_end_says_how_and_why(status: str) -> None:
    lines = as_text(failed(None, status, "the reason")).splitlines()
    assert lines[-2] == "  ! it says so"
    assert lines[-1].split() == [*status.split("_"), "the", "reason"]


def test_a_case_that_passed_shows_its_finding_only_where_it_was_asked_for() -> None:
    assert rows_of(CaseResult("a", "a", "passed", 1, 1)) == []
    assert rows_of(CaseResult("a", "a", "passed", 1, 1, "", Finding(call="f()"))) == [("the check ran", "f()")]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&</div>"


def test_no_value_of_a_student_becomes_html() -> None:
    hostile = Finding(
        *[HOSTILE] * 5, happened=(HOSTILE,), reported=(HOSTILE, HOSTILE), parts_at=1, traceback=(HOSTILE,)
    )
    cases = [CaseResult("a", HOSTILE, status, 0, 1, HOSTILE, hostile) for status in ("failed", "crashed")]
    tags = Tags()
    tags.feed(as_html(Verdict(HOSTILE, HOSTILE, tuple(cases))))
    assert tags.seen == {"div", "b", "span", "details", "summary", "table", "tr", "td"}
    assert HOSTILE in tags.text


def test_text_and_html_say_the_same() -> None:
    plain = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", as_html(failed(PARTED)))))
    for case in failed(PARTED).cases:
        for label, text in [("", case.title), *rows_of(case)]:
            assert re.sub(r"\s+", " ", text).strip() in plain
            assert label in plain


def test_html_fetches_nothing_and_needs_no_colour() -> None:
    text = as_html(failed(PARTED))
    assert not re.search(r"https?:|url\(|<script|<style|<link|class=", text)
    assert "✓" in text and "✗" in text


def test_the_text_sends_nothing_to_a_terminal_that_it_would_obey() -> None:
    hostile = Finding(got="ValueError: \x1b[2J\x1b]0;title\x07\r\x08", expected="two\nlines")
    text = as_text(failed(hostile))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert r"\x1b[2J" in text
    assert printable("ä 李雷 🙂\n\t") == "ä 李雷 🙂\n\t"


def test_a_shown_verdict_gives_both_forms_and_whether_it_passed() -> None:
    shown = Shown(failed(PARTED))
    assert (repr(shown), shown._repr_html_(), shown.passed) == (
        as_text(shown.verdict), as_html(shown.verdict), False,
    )  # fmt: skip
