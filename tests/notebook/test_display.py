"""How a verdict looks: the same rows as text and as HTML, and nothing that a terminal or a browser would obey."""

import html
import re
from html.parser import HTMLParser

import pytest

from course.markup import EDGES, GROUNDS, printable
from grader.engine.verdict import CaseResult, Finding, Verdict
from grader.notebook.display import MOST_BYTES, Shown, as_html, as_text, rows_of

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
        "                     ▸ 2. no step",
    ]


def test_calls_that_the_receipt_agrees_with_take_one_line() -> None:
    assert as_text(failed(ALIKE)).splitlines()[-1] == "      what happened  a({}) -> 1   ·   b({}) -> 2"


@pytest.mark.parametrize(
    ("finding", "rows"),
    [
        (
            Finding(happened=(), reported=("a({}) -> 1",), parts_at=0),
            [("what happened", "▸ 1. no call"), ("your receipt", "▸ 1. a({}) -> 1")],
        ),
        (
            Finding(happened=("a({}) -> 1",), reported=(), parts_at=0),
            [("what happened", "▸ 1. a({}) -> 1"), ("your receipt", "▸ 1. no step")],
        ),
        (Finding(got="ValueError: x", traceback=("line 3, in f", "line 9, in g")),
         [("got", "ValueError: x"), ("your code", "line 3, in f"), ("", "line 9, in g")]),
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


# Tags that JupyterLab keeps in a saved notebook that is not trusted.
SURVIVE = set("section div b bdi span code ul li ol dl dt dd details summary table caption tr th td".split())
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&</div>"


def test_no_value_of_a_student_becomes_html() -> None:
    hostile = Finding(
        *[HOSTILE] * 5, happened=(HOSTILE,), reported=(HOSTILE, HOSTILE), parts_at=1, traceback=(HOSTILE,)
    )
    cases = [CaseResult("a", HOSTILE, status, 0, 1, HOSTILE, hostile) for status in ("failed", "crashed")]
    tags = Tags()
    tags.feed(as_html(Verdict(HOSTILE, HOSTILE, tuple(cases))))
    assert not tags.seen & {"script", "img", "style", "link", "iframe"}
    assert tags.seen <= SURVIVE
    assert HOSTILE in tags.text


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_text_and_html_say_the_same() -> None:
    plain = words(html.unescape(re.sub(r"<[^>]+>", " ", as_html(failed(PARTED)))))
    for case in failed(PARTED).cases:
        for label, text in [("", case.title), *rows_of(case)]:
            assert words(re.sub(r"^[▸ ] \d+\. ", "", text)) in plain
            assert label in plain
    assert "2 ▸ they part here" in plain


def test_html_fetches_nothing_and_needs_no_colour() -> None:
    text = as_html(failed(PARTED))
    assert not re.search(r"https?:|url\(|<script|<style|<link|class=", text)
    assert all(said in text for said in ("✓", "✗", "passed", "failed", "▸"))


def test_the_text_sends_nothing_to_a_terminal_that_it_would_obey() -> None:
    hostile = Finding(got="ValueError: \x1b[2J\x1b]0;title\x07\r\x08", expected="two\nlines")
    text = as_text(failed(hostile))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert r"\x1b[2J" in text
    assert printable("ä 李雷 🙂\n\t") == "ä 李雷 🙂\n\t"


def test_a_shown_verdict_gives_both_forms_and_whether_it_passed() -> None:
    shown = Shown(failed(PARTED))
    assert shown._repr_mimebundle_() == {"text/plain": as_text(shown.verdict), "text/html": as_html(shown.verdict)}
    assert not shown.passed


# ---------------------------------------------------------------------------------------------------- contrast
def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_coloured_text_brings_a_ground_on_which_it_is_readable_and_all_other_text_is_the_pages_own() -> None:
    for style in re.findall(r'style="([^"]*)"', as_html(failed(PARTED))):
        declared = dict(part.strip().split(":", 1) for part in style.split(";") if part.strip())
        assert "opacity" not in declared
        if "color" in declared or "background" in declared:
            assert contrast(declared["color"], declared["background"]) >= 4.5


@pytest.mark.parametrize("page", ["#ffffff", "#111111"])
def test_edges_and_badges_stand_out_from_a_light_and_from_a_dark_page(page: str) -> None:
    for edge_colour in EDGES.values():
        assert contrast(edge_colour, page) >= 3
    assert min(contrast("#ffffff", ground) for ground in GROUNDS.values()) >= 4.5


# ---------------------------------------------------------------------------------------------------- size
HUGE = "<&'\u202e\x1b🦀ا" * 200_000
LOUD = Finding(*[HUGE] * 5, happened=(HUGE,) * 12, reported=(HUGE[1:],) * 12, parts_at=0, traceback=(HUGE,) * 6)


@pytest.mark.parametrize("cases", [1, 12, 60])
def test_the_html_of_a_verdict_is_small_whatever_is_in_it(cases: int) -> None:
    loud = CaseResult("b", HUGE, "failed", 0, 1, HUGE, LOUD)
    made = as_html(Verdict("ch05-e2", HUGE, tuple([loud] * cases)))
    assert len(made.encode("utf-8")) < MOST_BYTES
    assert "failed" in made and not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", made)


def test_the_text_of_a_verdict_is_short_whatever_is_in_it() -> None:
    text = as_text(failed(LOUD))
    assert len(text) < 80_000 and not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", text)


def test_right_to_left_text_keeps_its_direction_to_itself() -> None:
    made = as_html(failed(Finding(expected="'שלום'", got="'مرحبا'")))
    assert re.search(r"<bdi[^>]*>&#x27;שלום&#x27;</bdi>", made)


def test_a_stub_is_named_once_however_many_cases_meet_it() -> None:
    stub = Finding(got="NotImplementedError: ch05-e2: the fourth exit")
    made = Verdict("ch05-e2", "T", tuple(CaseResult(n, f"case {n}", "failed", 0, 1, "", stub) for n in "abc"))
    assert [line for line in as_text(made).splitlines() if "not written" in line] == [
        "      not written    ch05-e2: the fourth exit"
    ]
    assert as_html(made).count("fourth exit") == 1 and "case c" in as_html(made)
