"""What was handed in: whose it is, which session it belongs to, which copy counts. Known by content and place alone."""

import os
from pathlib import Path

import pytest
from papers import CHECK, RIGHT, write

from course.transcript import canonical_bytes
from grader.classroom.notebook_file import UnreadableError
from grader.classroom.submission import NothingFoundError, Submission, collect, paper_of
from grader.engine.exercise import Session


def a_session(name: str, *provides: str) -> Session:
    session = Session(name, f"session {name}")
    for number, provided in enumerate(provides, 1):
        session.exercise(f"{name}-e{number}", "x", [provided], ["?", "!"])
    return session


SESSIONS = {
    "ch05": a_session("ch05", "run_loop", "run_loop", "render_trace"),
    "ch06": a_session("ch06", "retry", "replay"),
}


def found(*roots: Path, only: tuple[str, ...] = ()) -> list[Submission]:
    return collect(roots, SESSIONS, only)


def names(*roots: Path) -> list[tuple[str, str]]:
    return [(one.student, one.file) for one in found(*roots)]


# ---- whose
def test_the_folder_right_above_a_notebook_names_the_student(tmp_path: Path) -> None:
    write(tmp_path / "alice" / "ch05.ipynb", RIGHT, CHECK)
    write(tmp_path / "group-2" / "bob" / "anything.ipynb", RIGHT, CHECK)
    write(tmp_path / "carol.ipynb", RIGHT, CHECK)
    assert names(tmp_path) == [
        ("alice", "alice/ch05.ipynb"), ("bob", "group-2/bob/anything.ipynb"), ("carol", "carol.ipynb"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["Doe, Jr.", "李雷", "=1+1", 'it\'s "quoted"', "a b", "ünï", "-x", "%s"])
def test_a_name_is_taken_as_it_is(tmp_path: Path, name: str) -> None:
    write(tmp_path / name / "ch05.ipynb", RIGHT, CHECK)
    assert names(tmp_path) == [(name, f"{name}/ch05.ipynb")]


def test_a_name_that_is_no_text_is_spelled_out_and_can_be_written(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    write(folder / "ch05.ipynb", RIGHT, CHECK)
    one = found(tmp_path)[0]
    assert (one.student, one.file) == (r"caf\xe9", r"caf\xe9/ch05.ipynb")
    assert canonical_bytes([one.student, one.file])


def test_two_folders_of_one_name_are_two_students(tmp_path: Path) -> None:
    write(tmp_path / "group-1" / "kim" / "ch05.ipynb", RIGHT, CHECK)
    write(tmp_path / "group-2" / "kim" / "ch05.ipynb", RIGHT, CHECK)
    write(tmp_path / "lee" / "ch05.ipynb", RIGHT, CHECK)
    assert [student for student, _ in names(tmp_path)] == ["group-1/kim", "group-2/kim", "lee"]


def test_two_folders_of_one_name_below_different_roots_are_two_students(tmp_path: Path) -> None:
    for root in ("monday", "friday"):
        write(tmp_path / root / "kim" / "ch05.ipynb", RIGHT, CHECK)
        write(tmp_path / root / "deep" / "ch05.ipynb", RIGHT, CHECK)
    students = [student for student, _ in names(tmp_path / "monday", tmp_path / "friday")]
    assert students == ["friday/deep", "friday/kim", "monday/deep", "monday/kim"]
    write(tmp_path / "late" / "monday" / "kim" / "ch05.ipynb", RIGHT, CHECK)
    students = [student for student, _ in names(tmp_path / "monday", tmp_path / "late" / "monday")]
    assert len(set(students)) == len(students) == 3


def test_two_notebooks_of_one_name_given_one_by_one_are_two_students(tmp_path: Path) -> None:
    files = [write(tmp_path / who / "ch05.ipynb", RIGHT, CHECK) for who in ("alice", "bob")]
    assert [student for student, _ in names(*files)] == ["alice/ch05.ipynb", "bob/ch05.ipynb"]


def test_a_folder_given_twice_or_within_another_gives_each_notebook_once(tmp_path: Path) -> None:
    path = write(tmp_path / "alice" / "ch05.ipynb", RIGHT, CHECK)
    assert names(tmp_path, tmp_path, tmp_path / "alice", path) == [("alice", "alice/ch05.ipynb")]
    assert found(tmp_path, tmp_path)[0].notes == ()


def test_hidden_folders_and_files_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "alice" / ".ipynb_checkpoints" / "ch05-checkpoint.ipynb", RIGHT, CHECK)
    write(tmp_path / ".trash" / "ch05.ipynb", RIGHT, CHECK)
    write(tmp_path / "alice" / "._ch05.ipynb", RIGHT, CHECK)
    write(tmp_path / "alice" / "CH05.IPYNB", RIGHT, CHECK)
    (tmp_path / "alice" / "notes.txt").write_text("x", encoding="utf-8")
    assert names(tmp_path) == [("alice", "alice/CH05.IPYNB")]


def test_a_hidden_root_is_what_was_asked_for(tmp_path: Path) -> None:
    write(tmp_path / ".class" / "alice" / "ch05.ipynb", RIGHT, CHECK)
    assert names(tmp_path / ".class") == [("alice", "alice/ch05.ipynb")]


# ---- nothing there
def test_a_folder_that_is_not_there_or_holds_no_notebook_is_named(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match=r"no-such-folder does not exist"):
        found(tmp_path / "no-such-folder")
    with pytest.raises(NothingFoundError, match=r"there is no \.ipynb file under "):
        found(tmp_path)


# ---- which session
@pytest.mark.parametrize(
    ("cells", "sessions"),
    [
        (['check("ch05-e1", run_loop)'], ["ch05"]),
        (["grader.check('ch06-e2',replay)"], ["ch06"]),
        (['def run_loop(*_):\n    raise NotImplementedError("ch05-e1: three ways")'], ["ch05"]),
        (["def run_loop(): ...", "def render_trace(): ..."], ["ch05"]),
        (["class retry: ...", "replay = 1"], ["ch06"]),
        (['check("ch05-e1", f)', 'check("ch06-e1", g)'], ["ch05", "ch06"]),
        (['check("ch05-e1", f)', '# see "ch06-e1"'], ["ch05"]),
        (["def replay(): ..."], [""]),
        (['check("ch99-e1", f)'], [""]),
        (["print('another course')"], [""]),
        ([], [""]),
        ([("markdown", 'check("ch05-e1", f)')], [""]),
    ],
)
def test_a_session_is_known_by_what_the_code_checks_names_or_defines(
    tmp_path: Path, cells: list[str], sessions: list[str]
) -> None:
    write(tmp_path / "alice" / "ch06 final (3).ipynb", *cells)
    assert [one.session for one in found(tmp_path)] == sessions


def test_a_notebook_of_another_course_has_a_row_that_says_so(tmp_path: Path) -> None:
    write(tmp_path / "alice" / "ch05.ipynb", "import pandas")
    [one] = found(tmp_path)
    assert (one.status, one.reason) == ("not_found", "it checks and defines no exercise of this course")
    assert not one.judgeable


def test_one_file_for_two_sessions_is_graded_for_each_and_says_so(tmp_path: Path) -> None:
    write(tmp_path / "alice" / "all.ipynb", 'check("ch05-e1", f)', 'check("ch06-e1", g)')
    both = found(tmp_path)
    assert {one.notes for one in both} == {("the file holds exercises of ch05 and ch06; each is graded",)}
    assert [one.session for one in found(tmp_path, only=("ch06",))] == ["ch06"]


# ---- which copy
def test_the_newest_of_several_copies_counts_and_all_are_named(tmp_path: Path) -> None:
    write(tmp_path / "alice" / "ch05.ipynb", RIGHT, CHECK, age=100)
    write(tmp_path / "alice" / "ch05 (1).ipynb", RIGHT, CHECK, age=10)
    write(tmp_path / "alice" / "old.ipynb", RIGHT, CHECK, age=200)
    write(tmp_path / "alice" / "ch06.ipynb", 'check("ch06-e1", f)', age=500)
    ch05, ch06 = found(tmp_path)
    assert ch05.file == "alice/ch05 (1).ipynb"
    assert ch05.notes == (
        "alice/ch05 (1).ipynb is the newest and was graded; left out: alice/old.ipynb, alice/ch05.ipynb",
    )
    assert ch06.notes == ()


def test_a_broken_copy_has_a_row_of_its_own_and_costs_the_good_one_nothing(tmp_path: Path) -> None:
    write(tmp_path / "alice" / "ch05.ipynb", RIGHT, CHECK, age=100)
    (tmp_path / "alice" / "newer.ipynb").write_text('{"cells": [', encoding="utf-8")
    broken, good = found(tmp_path)
    assert (broken.session, broken.status, good.session, good.status) == ("", "unreadable", "ch05", "")
    assert "breaks off" in broken.reason


def test_what_cannot_be_read_keeps_its_row_whatever_session_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "alice.ipynb").write_bytes(b"")
    write(tmp_path / "bob.ipynb", 'check("ch06-e1", f)')
    assert [one.student for one in found(tmp_path, only=("ch05",))] == ["alice"]


# ---- links and pipes
def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.ipynb", RIGHT, CHECK)
    (tmp_path / "class" / "eve").mkdir(parents=True)
    (tmp_path / "class" / "eve" / "ch05.ipynb").symlink_to(outside)
    (tmp_path / "class" / "mallory").symlink_to(tmp_path / "outside", target_is_directory=True)
    (tmp_path / "class" / "loop").symlink_to(tmp_path / "class", target_is_directory=True)
    [one] = found(tmp_path / "class")
    assert (one.student, one.status) == ("eve", "unreadable")
    assert one.reason == "it is a symbolic link, and links are not followed"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_a_pipe_in_place_of_a_notebook_is_a_row_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "eve.ipynb")
    [one] = found(tmp_path)
    assert (one.status, one.reason) == ("unreadable", "it is no regular file")


# ---- the paper
def test_the_paper_holds_the_code_and_says_which_text_cell_looks_like_an_answer(tmp_path: Path) -> None:
    write(tmp_path / "alice.ipynb", ("markdown", "    def run_loop(plan): ..."), CHECK, ("raw", "render_trace = 1"))
    paper = paper_of(found(tmp_path)[0], SESSIONS["ch05"])
    assert paper.cells == (CHECK,)
    assert paper.elsewhere == {
        "run_loop": "cell 1 looks like it, but it is a markdown cell and does not run",
        "render_trace": "cell 3 looks like it, but it is a raw cell and does not run",
    }


def test_a_file_that_changed_since_it_was_found_is_not_graded_under_the_old_digest(tmp_path: Path) -> None:
    path = write(tmp_path / "alice.ipynb", RIGHT, CHECK)
    [one] = found(tmp_path)
    write(path, CHECK)
    with pytest.raises(UnreadableError, match="the file changed while the class was being graded"):
        paper_of(one, SESSIONS["ch05"])


def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    write(tmp_path / "alice.ipynb", RIGHT, CHECK)
    write(tmp_path / "bob.ipynb", RIGHT, CHECK)
    write(tmp_path / "carol.ipynb", RIGHT + "\n", CHECK)
    alice, bob, carol = found(tmp_path)
    assert alice.digest == bob.digest != carol.digest
