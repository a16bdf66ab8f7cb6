"""The browser's verdicts are the desktop's: a short form of `python -m publish parity`, and what it is made of."""

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.checks import sessions
from publish import pieces
from publish.parity import comparison, seats, table
from publish.parity.answers import Attempt, attempts
from publish.parity.compare import Difference, by_chance, differences
from publish.parity.comparison import Compared
from publish.parity.seats import Seat, SeatError


# ------------------------------------------------------------------------------------------------------- both sides
@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    folder = pieces.PIECES / "pyodide"
    if shutil.which("node") is None:
        pytest.skip("node is not installed, and it runs Pyodide here")
    if not (folder / "pyodide.mjs").is_file():
        pytest.skip("Pyodide was not downloaded: `make site` or `python -m publish parity` does that")
    seat = seats.browser(folder, seats.pack(tmp_path_factory.mktemp("parity") / "packages.zip"))
    yield seat
    seat.close()


@pytest.fixture(scope="module")
def desktop() -> Iterator[Seat]:
    seat = seats.desktop()
    yield seat
    seat.close()


@pytest.mark.parametrize("session", sorted(sessions()))
def test_stub_solution_and_a_wrong_answer_get_the_same_verdict(session: str, desktop: Seat, browser: Seat) -> None:
    compared = [comparison.compare(one, desktop, browser, {}) for one in attempts([session], wrong=1)]
    assert [(str(one.attempt), one.differences) for one in compared if one.differences] == []
    assert all(one.cases for one in compared)


HOSTILE = {
    "an endless loop": "while True: pass",
    "swallows the stop": "try:\n        while True: pass\n    except BaseException: return []",
    "sleeps": "import time\n    time.sleep(60)",
    "calls itself": "return list_documents()",
    "calls itself through C": "return list(map(lambda one: list_documents(), [1]))",
    "reads deep JSON": "import json\n    return json.loads('[' * 100_000)",
    "leaves the program": "raise SystemExit(3)",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_would_end_the_browsers_python_gets_the_same_verdict(what: str, desktop: Seat, browser: Seat) -> None:
    solution = next(one for one in attempts(["ch01"], wrong=0) if str(one) == "ch01-e1 solution")
    text = f"def list_documents(*args, **kwargs):\n    {HOSTILE[what]}\n"
    compared = comparison.compare(replace(solution, name=what, text=text), desktop, browser, {})
    assert compared.differences == []
    assert browser.ended == 0


# ------------------------------------------------------------------------------------------------------------ parts
def reply(**changes: object) -> dict[str, object]:
    case = {"name": "a", "title": "it holds", "status": "failed", "points": 0, "finding": {"got": "1"}}
    return {"python": "3", "verdict": {"exercise": "ch01-e1", "cases": [{**case, **changes}]}}


def test_the_same_verdicts_do_not_differ_and_the_version_of_python_does_not_count() -> None:
    assert differences(reply(), {**reply(), "python": "4"}) == []


def test_a_difference_names_case_and_field_and_gives_both_sides() -> None:
    assert differences(reply(), reply(finding={"got": "2"})) == [Difference("it holds", "got", "'1'", "'2'")]
    assert [one.field for one in differences(reply(), reply(status="passed", points=1, finding=None))] == [
        "status",
        "points",
        "got",
    ]


def test_a_side_that_has_no_verdict_differs_from_one_that_has() -> None:
    (difference,) = differences(reply(), {"trouble": "it ended"})
    assert (difference.field, difference.browser) == ("trouble", "'it ended'")


def test_a_text_in_which_two_desktops_differ_is_left_to_chance() -> None:
    found = differences(reply(), reply(finding={"got": "2"}))
    assert by_chance(found, [reply(), reply(finding={"got": "3"})]) == found
    assert by_chance(found, [reply(), reply()]) == []


def test_a_status_is_left_to_chance_only_where_a_desktop_has_the_browsers() -> None:
    found = [one for one in differences(reply(), reply(status="passed")) if one.field == "status"]
    assert by_chance(found, [reply(status="crashed")]) == []
    assert by_chance(found, [reply(status="crashed"), reply(status="passed")]) == found


def test_a_seat_that_an_answer_ends_is_taken_again() -> None:
    program = (
        "import sys\n"
        "print('ready', flush=True)\n"
        "for line in sys.stdin:\n"
        "    if 'end' in line: sys.exit(1)\n"
        "    print('{\"got\": ' + line.strip() + '}', flush=True)\n"
    )
    seat = Seat([sys.executable, "-c", program], {})
    try:
        assert seat.ask("1") == {"got": 1}
        assert "the interpreter ended" in seat.ask('"end"')["trouble"]
        assert seat.ask("2") == {"got": 2}
        assert seat.ended == 1
    finally:
        seat.close()


@pytest.mark.parametrize("command", [["no-such-program"], [sys.executable, "-c", "raise SystemExit(1)"]])
def test_a_seat_that_cannot_be_taken_says_so(command: list[str]) -> None:
    with pytest.raises(SeatError, match=r"no-such-program is not installed|did not start"):
        Seat(command, {}).ask("1")


def test_an_attempt_is_told_what_runs_before_it() -> None:
    found = attempts(["ch01"], wrong=2)
    assert [one.name for one in found[:2]] == ["stub", "solution"]
    assert {one.exercise for one in found} == {one.id for one in sessions()["ch01"].exercises}
    line = json.loads(found[-1].to_line())
    assert line["answer"][0].startswith("wrong/")
    assert any("def " in text for _, text in line["cells"])


def test_a_session_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match="there is no session 'ch99'"):
        attempts(["ch99"])


def test_the_page_counts_answers_cases_and_differences() -> None:
    one = Attempt("ch01-e1", "stub", (), "")
    other = replace(one, name="wrong/set_order")
    chance = [Difference("it holds", "got", "1", "2"), Difference("it holds", "returned", "1", "2")]
    text = table.page([Compared(one, 7), Compared(other, 7, [], chance)], {"desktop": "here", "browser": "there"})
    assert "2 answers, 14 cases: no difference." in text
    assert "| 2 | 14 | 1 | 0 |" in text
    assert "| ch01-e1 `wrong/set_order` | it holds |" in text
    broken = [Compared(one, 7, [Difference("it holds", "status", "a", "b")])]
    assert "answers with a difference: 1" in table.page(broken, {"desktop": "here", "browser": "there"})


def test_the_page_is_the_one_of_a_run_without_a_difference() -> None:
    text = Path(comparison.TABLE).read_text(encoding="utf-8")
    assert ": no difference." in text
    for session in sessions().values():
        for exercise in session.exercises:
            assert f"| {exercise.id} |" in text
