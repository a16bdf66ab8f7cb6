"""The sample class: its committed files are what the generator makes, and each gets the row that was expected of it."""

import csv
import runpy
from pathlib import Path

import pytest

from grader.sandbox.walls import missing_layers

CLASS = Path(__file__).resolve().parents[1] / "examples" / "class"
MAKER = runpy.run_path(str(CLASS / "make_class.py"))
DEMO = runpy.run_path(str(CLASS / "demo.py"))
EXPECTED = (CLASS / "expected.csv").read_text(encoding="utf-8")


def test_the_generator_makes_the_committed_files_byte_for_byte() -> None:
    below = CLASS / "submissions"
    committed = {path.relative_to(below).as_posix(): path.read_bytes() for path in below.rglob("*") if path.is_file()}
    made = MAKER["made"]()
    assert sorted(made) == sorted(committed)
    changed = [place for place in made if made[place] != committed[place]]
    assert not changed, "run examples/class/make_class.py and look at expected.csv"


def test_every_folder_has_one_expected_row_a_session_and_a_line_in_the_readme() -> None:
    rows = [(row["student"].removeprefix("'"), row["session"]) for row in csv.DictReader(EXPECTED.splitlines())]
    assert len(rows) == len(set(rows))
    assert {student for student, _ in rows} == set(MAKER["SUBMITTED"])
    of_several = [row for row in rows if [student for student, _ in rows].count(row[0]) > 1]
    assert of_several == [("several-sessions", session) for session in ("ch02", "ch04", "ch05")]
    readme = (CLASS / "README.md").read_text(encoding="utf-8")
    assert [folder for folder in MAKER["SUBMITTED"] if f"| `{folder}` |" not in readme] == []


def test_no_answer_tells_what_is_wrong_with_it() -> None:
    for place, content in MAKER["made"]().items():
        assert b"rejected by:" not in content, place


@pytest.mark.sandbox
def test_the_graded_class_equals_the_expected_table(tmp_path: Path) -> None:
    if missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")
    assert DEMO["grade"](tmp_path / "out", []) == DEMO["SOME_COULD_NOT_BE_JUDGED"]
    assert (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8") == EXPECTED


def test_a_changed_score_a_lost_row_and_a_row_too_many_are_each_named() -> None:
    rows = EXPECTED.splitlines()
    changed = next(row for row in rows if row.startswith("untouched,")).replace(",0,30,", ",1,30,")
    others = [row for row in rows if not row.startswith(("untouched,", "utf-16,"))]
    found = DEMO["differences"](
        EXPECTED, "\n".join([*others, changed, "stranger,ch05,x.ipynb,0,30,full,failed,0,0,0,0"])
    )
    assert found == [
        "stranger (ch05) is not expected",
        "untouched: score: expected 0, got 1",
        "utf-16 (ch05) is missing",
    ]


def test_the_level_of_isolation_is_no_difference() -> None:
    assert DEMO["differences"](EXPECTED, EXPECTED.replace(",full,", ",partial,")) == []
