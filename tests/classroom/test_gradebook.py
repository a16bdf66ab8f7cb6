"""The gradebook: goes on after any end, keeps what stood, and names a verdict that was changed by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from papers import record, submission, verdict

from grader.classroom.gradebook import ANCHOR, BOOK, Gradebook, GradebookError, Reading, verify

V1 = {"ch05-e1": "v1", "ch05-e2": "v1"}
ALICE, BOB = submission("alice"), submission("bob")
BOTH = record(verdict("ch05-e1", 2, 0), verdict("ch05-e2", 2))


def filled(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    with Gradebook(folder) as book:
        book.add(ALICE, BOTH, V1, "full")
        book.add(BOB, BOTH, V1, "full")
    return folder


def points(folder: Path) -> dict[tuple[str, str, str], dict[str, int]]:
    """(student, session, file) -> points by exercise, of what is closed."""
    book = Reading(folder)
    found = {}
    for entry in book.closed():
        closing = book.closing(entry)
        key = (closing["student"], closing["session"], closing["file"])
        found[key] = {name: book.verdict(entry, name).points for name in entry.verdicts}
    return found


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / BOOK).read_text(encoding="utf-8").splitlines()]


# ---- what it holds
def test_a_submission_is_its_verdicts_and_the_record_that_closes_them(tmp_path: Path) -> None:
    found = lines(filled(tmp_path))
    assert [(one["kind"], one["payload"]["student"]) for one in found] == [
        ("verdict", "alice"), ("verdict", "alice"), ("submission", "alice"),
        ("verdict", "bob"), ("verdict", "bob"), ("submission", "bob"),
    ]  # fmt: skip
    assert found[0]["payload"]["verdict"] == json.loads(json.dumps(verdict("ch05-e1", 2, 0).to_record()))
    assert found[2]["payload"]["notes"] == ["a note"]
    assert found[2]["payload"]["cell_errors"] == [[3, "NameError: name 'x' is not defined"]]
    assert {one["payload"]["isolation"] for one in found} == {"full"}


def test_it_reads_back_as_it_was_written(tmp_path: Path) -> None:
    book = Reading(filled(tmp_path))
    entry = book.standing(ALICE)
    assert entry is not None
    assert entry.versions == V1
    assert [book.verdict(entry, name) for name in entry.verdicts] == list(BOTH.verdicts.values())
    assert book.standing(submission("alice", digest="another")) is None


def test_the_anchor_counts_the_records_and_agrees(tmp_path: Path) -> None:
    filled(tmp_path)
    anchor = json.loads((tmp_path / ANCHOR).read_text(encoding="utf-8"))
    assert anchor["count"] == 6
    report = verify(tmp_path)
    assert report.ok and report.head == anchor["head"]


def test_the_same_verdicts_make_the_same_bytes(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "one"), filled(tmp_path / "other")
    assert (one / BOOK).read_bytes() == (other / BOOK).read_bytes()
    assert (one / ANCHOR).read_bytes() == (other / ANCHOR).read_bytes()


def test_a_row_without_anything_to_judge_has_its_status_and_reason(tmp_path: Path) -> None:
    broken = submission("eve", "", "eve/x.ipynb", status="unreadable", reason="the file is empty")
    with Gradebook(tmp_path) as book:
        book.add(broken, None, {}, "full")
    assert points(tmp_path) == {("eve", "", "eve/x.ipynb"): {}}
    assert lines(tmp_path)[0]["payload"]["reason"] == "the file is empty"


# ---- going on
def test_a_second_run_goes_on_in_the_same_chain(tmp_path: Path) -> None:
    filled(tmp_path)
    with Gradebook(tmp_path) as book:
        assert book.standing(BOB) is not None
        book.add(submission("carol"), BOTH, V1, "full")
    assert [student for student, _, _ in points(tmp_path)] == ["alice", "bob", "carol"]
    assert verify(tmp_path).ok


def test_a_run_that_ended_anywhere_is_gone_on_with(tmp_path: Path) -> None:
    whole = (filled(tmp_path / "whole") / BOOK).read_bytes()
    for length in range(0, len(whole), 97):
        folder = tmp_path / f"cut-{length}"
        folder.mkdir()
        (folder / BOOK).write_bytes(whole[:length])
        with Gradebook(folder) as book:
            for one in (ALICE, BOB):
                entry = book.standing(one)
                if entry is None or entry.closing is None:
                    book.add(one, BOTH, V1, "full")
        assert points(folder) == points(tmp_path / "whole"), length
        assert verify(folder).ok, length
        own = [one for one in lines(folder) if one["kind"] != "torn_tail"]
        kinds = [(one["kind"], one["payload"]["student"], one["payload"].get("exercise")) for one in own]
        assert len(set(kinds)) == len(kinds), "nothing twice"


def test_records_after_the_last_anchor_are_gone_on_with(tmp_path: Path) -> None:
    filled(tmp_path)
    anchor = (tmp_path / ANCHOR).read_bytes()
    with Gradebook(tmp_path) as book:
        book.add(submission("carol"), BOTH, V1, "full")
    (tmp_path / ANCHOR).write_bytes(anchor)  # as if the run had been killed before it wrote its own
    with Gradebook(tmp_path):
        pass
    assert len(points(tmp_path)) == 3
    assert verify(tmp_path).ok


# ---- what replaces what
def test_a_verdict_of_a_newer_version_takes_the_place_of_the_older_which_stays_in_the_chain(tmp_path: Path) -> None:
    filled(tmp_path)
    with Gradebook(tmp_path) as book:
        better = record(verdict("ch05-e1", 2, 2), verdict("ch05-e2", 0))
        book.add(ALICE, better, {"ch05-e1": "v2", "ch05-e2": "v1"}, "full")
    assert points(tmp_path)["alice", "ch05", "alice/ch05.ipynb"] == {"ch05-e1": 4, "ch05-e2": 2}
    assert len(lines(tmp_path)) == 8


def test_a_newer_file_for_the_same_session_takes_the_place_of_the_older(tmp_path: Path) -> None:
    filled(tmp_path)
    with Gradebook(tmp_path) as book:
        book.add(submission("alice", digest="new"), record(verdict("ch05-e1", 0, 0)), V1, "full")
        book.add(submission("alice", file="alice/renamed.ipynb"), record(verdict("ch05-e1", 2, 2)), V1, "full")
        book.add(submission("alice", "ch06", "alice/ch06.ipynb"), record(), {}, "full")
    found = points(tmp_path)
    assert [key for key in found if key[0] == "alice"] == [
        ("alice", "ch05", "alice/renamed.ipynb"), ("alice", "ch06", "alice/ch06.ipynb"),
    ]  # fmt: skip
    assert found["alice", "ch05", "alice/renamed.ipynb"] == {"ch05-e1": 4}


def test_a_broken_file_that_was_mended_has_one_row(tmp_path: Path) -> None:
    with Gradebook(tmp_path) as book:
        for digest, file in (("a", "eve/x.ipynb"), ("b", "eve/x.ipynb"), ("c", "eve/y.ipynb")):
            book.add(submission("eve", "", file, digest, status="unreadable", reason="broken"), None, {}, "full")
        book.add(submission("eve", "ch05", "eve/x.ipynb", "e"), BOTH, V1, "full")
    assert list(points(tmp_path)) == [("eve", "", "eve/y.ipynb"), ("eve", "ch05", "eve/x.ipynb")]


# ---- changed by hand
def changed(folder: Path, old: str, new: str) -> None:
    text = (folder / BOOK).read_text(encoding="utf-8")
    assert old in text
    (folder / BOOK).write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def test_a_verdict_that_was_edited_is_named_and_nothing_is_added_to_it(tmp_path: Path) -> None:
    filled(tmp_path)
    changed(tmp_path, '"points":0', '"points":2')
    report = verify(tmp_path)
    assert not report.ok
    assert report.faults[0].index == 0
    before = (tmp_path / BOOK).read_bytes()
    with pytest.raises(GradebookError, match=r"the gradebook was changed since it was written: .*record 0"):
        Gradebook(tmp_path)
    with pytest.raises(GradebookError):
        Reading(tmp_path)
    assert (tmp_path / BOOK).read_bytes() == before


@pytest.mark.parametrize(
    "edit",
    [
        lambda kept: kept[:3] + kept[4:],
        lambda kept: [kept[1], kept[0], *kept[2:]],
        lambda kept: [*kept[:2], kept[0], *kept[2:]],
        lambda kept: kept[:-1],
        lambda kept: [],
    ],
    ids=["one removed", "two exchanged", "one doubled", "the end cut off", "emptied"],
)
def test_a_chain_that_was_cut_or_reordered_is_found_by_its_anchor(tmp_path: Path, edit: Any) -> None:
    filled(tmp_path)
    kept = (tmp_path / BOOK).read_bytes().splitlines(keepends=True)
    (tmp_path / BOOK).write_bytes(b"".join(edit(kept)))
    assert not verify(tmp_path).ok
    with pytest.raises(GradebookError, match="the gradebook was changed"):
        Gradebook(tmp_path)


def test_a_folder_without_a_gradebook_and_an_anchor_that_is_none_are_named(tmp_path: Path) -> None:
    with pytest.raises(GradebookError, match=r"there is no gradebook\.jsonl in .*: give the folder that"):
        verify(tmp_path)
    filled(tmp_path)
    (tmp_path / ANCHOR).write_text("{}", encoding="utf-8")
    with pytest.raises(GradebookError, match=r"anchor\.json cannot be used"):
        verify(tmp_path)


def test_two_graders_do_not_write_one_gradebook(tmp_path: Path) -> None:
    with Gradebook(tmp_path) as one, Gradebook(tmp_path) as other:
        one.add(ALICE, BOTH, V1, "full")
        with pytest.raises(GradebookError, match="one writer at a time"):
            other.add(BOB, BOTH, V1, "full")
    assert list(points(tmp_path)) == [("alice", "ch05", "alice/ch05.ipynb")]
