"""What a gradebook says as files: one row a submission, names as they are, and nothing that a spreadsheet would run."""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from papers import record, submission, verdict

from grader.classroom.gradebook import Gradebook, Reading
from grader.classroom.submission import Submission
from grader.classroom.tables import feedback_html, folder_name, grades_csv, rows_of, safe, write_tables

NAMES = ["Doe, Jr.", "李雷", "=1+1", "+x", "-x", "@x", "\tx", "..", ".", 'it\'s "quoted"', "a/b", "a\\b", "two\nlines",
         "\rx", "x" * 200, "<b>", "con:1", " x "]  # fmt: skip
HEAD = ["student", "session", "file", "score", "max_score", "isolation", "status"]


def graded(folder: Path, submissions: Iterable[Submission]) -> Reading:
    versions = {"ch05-e1": "v", "ch05-e2": "v"}
    with Gradebook(folder) as book:
        for one in submissions:
            found = None if one.status else record(verdict("ch05-e1", 2, 0), verdict("ch05-e2", 2))
            book.add(one, found, versions, "partial")
    return Reading(folder)


def table(folder: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO((folder / "grades.csv").read_text(encoding="utf-8"), newline="")))


def test_a_row_holds_the_score_the_level_the_status_and_a_column_an_exercise(tmp_path: Path) -> None:
    write_tables(rows_of(graded(tmp_path, [submission("alice")])), tmp_path)
    assert table(tmp_path) == [
        [*HEAD, "ch05-e1", "ch05-e2"],
        ["alice", "ch05", "alice/ch05.ipynb", "4", "6", "partial", "failed", "2", "2"],
    ]


def test_what_could_not_be_read_has_a_row_and_no_points_rather_than_zeros(tmp_path: Path) -> None:
    broken = submission("eve", "", "eve/x.ipynb", status="unreadable", reason="the file is empty")
    write_tables(rows_of(graded(tmp_path, [broken, submission("alice")])), tmp_path)
    assert table(tmp_path)[2] == ["eve", "", "eve/x.ipynb", "0", "0", "partial", "unreadable", "", ""]
    [_, eve] = json.loads((tmp_path / "grades.json").read_text(encoding="utf-8"))
    assert (eve["status"], eve["reason"], eve["exercises"]) == ("unreadable", "the file is empty", [])


def test_every_name_survives_the_table(tmp_path: Path) -> None:
    write_tables(rows_of(graded(tmp_path, [submission(name) for name in NAMES])), tmp_path)
    rows = table(tmp_path)
    assert {len(row) for row in rows} == {len(HEAD) + 2}
    assert sorted(row[0] for row in rows[1:]) == sorted(safe(name) for name in NAMES)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_a_formula_is_neutralised(text: str) -> None:
    assert safe(text) == f"'{text}"


def test_a_carriage_return_is_spelled_out() -> None:
    assert (safe("\r=1"), safe("a\rb")) == ("'\\r=1", "a\\rb")


@pytest.mark.parametrize("text", ["alice", "李雷", "a=b", "", "'=1"])
def test_a_name_that_is_no_formula_stays_as_it_is(text: str) -> None:
    assert safe(text) == text


def test_the_json_holds_cases_and_messages(tmp_path: Path) -> None:
    write_tables(rows_of(graded(tmp_path, [submission("Doe, Jr.")])), tmp_path)
    [row] = json.loads((tmp_path / "grades.json").read_text(encoding="utf-8"))
    assert list(row) == [*HEAD, "reason", "notes", "cell_errors", "exercises"]
    assert row["student"] == "Doe, Jr." and row["score"] == 4
    assert row["cell_errors"] == [{"cell": 4, "error": "NameError: name 'x' is not defined"}]
    first = row["exercises"][0]
    assert (first["exercise"], first["status"], first["points"]) == ("ch05-e1", "failed", 2)
    assert first["cases"][1]["finding"]["got"] == "it's 0"


def test_an_empty_gradebook_makes_empty_tables(tmp_path: Path) -> None:
    write_tables(rows_of(graded(tmp_path, [])), tmp_path)
    assert table(tmp_path) == [HEAD]
    assert json.loads((tmp_path / "grades.json").read_text(encoding="utf-8")) == []


# ---- feedback
def test_every_student_has_a_page_of_their_own_below_the_feedback_folder(tmp_path: Path) -> None:
    names = [*NAMES, "a_b", "b:1", "b_1", "y" * 255, "y" * 254 + "z"]
    write_tables(rows_of(graded(tmp_path, [submission(name) for name in names])), tmp_path)
    pages = sorted((tmp_path / "feedback").rglob("*.html"))
    assert len(pages) == len(names)
    assert {page.parent.parent for page in pages} == {tmp_path / "feedback"}
    assert {page.name for page in pages} == {"ch05.html"}


@pytest.mark.parametrize("name", ["alice", "Doe, Jr.", "李雷", "=1+1"])
def test_an_ordinary_name_is_its_folder(name: str) -> None:
    assert folder_name(name) == name


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../../etc", "a\\b", "\0", "C:", "x" * 500, "李" * 200])
def test_no_name_leads_out_of_the_folder_or_is_too_long_for_it(name: str) -> None:
    made = folder_name(name)
    assert made not in ("", ".", "..") and not set(made) & set("/\\:\0")
    assert len(made.encode()) <= 220


def test_a_file_with_a_long_name_that_cannot_be_read_costs_nobody_the_tables(tmp_path: Path) -> None:
    broken = submission("eve", "", f"eve/{'x' * 249}.ipynb"[:255], status="unreadable", reason="empty")
    write_tables(rows_of(graded(tmp_path, [broken, submission("alice")])), tmp_path)
    assert len(table(tmp_path)) == 3
    assert len(list((tmp_path / "feedback").rglob("*.html"))) == 2


def test_a_page_says_what_the_notebook_would_and_what_was_noted_and_runs_nothing(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script>"
    [row] = rows_of(graded(tmp_path, [submission(hostile, notes=(hostile,))]))
    text = feedback_html(row)
    assert "<script" not in text
    assert "code cell 4 ended with NameError: name &#x27;x&#x27; is not defined" in text
    assert "4 of 6 points, status failed, isolation partial" in text
    assert "it&#x27;s 0" in text


def test_a_table_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    book = graded(tmp_path, [submission("alice")])
    write_tables(rows_of(book), tmp_path)
    before = (tmp_path / "grades.json").read_bytes()

    def breaks_off() -> Iterable[object]:
        yield from rows_of(book)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_tables(breaks_off(), tmp_path)  # type: ignore[arg-type]
    assert (tmp_path / "grades.json").read_bytes() == before


def test_a_csv_of_two_sessions_leaves_the_other_sessions_columns_empty(tmp_path: Path) -> None:
    with Gradebook(tmp_path) as book:
        book.add(submission("alice"), record(verdict("ch05-e1", 2)), {"ch05-e1": "v"}, "full")
        book.add(submission("alice", "ch06", "x"), record(verdict("ch06-e1", 0)), {"ch06-e1": "v"}, "full")
    lines = write_tables(rows_of(Reading(tmp_path)), tmp_path)
    assert [row[len(HEAD) :] for row in csv.reader(io.StringIO(grades_csv(lines)))] == [
        ["ch05-e1", "ch06-e1"], ["2", ""], ["", "0"],
    ]  # fmt: skip
