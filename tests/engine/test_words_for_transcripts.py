"""The words for files and transcripts: a file where the student's code runs, an intact chain, and its first fault."""

import gc
from pathlib import Path
from typing import Any

import pytest

from course.transcript import verify_records
from grader.engine.expect import Failure, Seen, expect, expect_fault, show
from grader.engine.side import StudentSide
from grader.engine.student import InProcessStudent, Student
from grader.engine.world import World
from tools import result


def read(path: str) -> bytes | None:
    return Path(path).read_bytes() if Path(path).exists() else None


# --------------------------------------------------------------------------------------------------------------- files
def test_a_file_is_there_byte_for_byte_and_one_without_content_is_not() -> None:
    def case(student: Student, world: World) -> None:
        expect(student.f(student.file("run.jsonl", b"\x00\r\n\xff"))).equals(b"\x00\r\n\xff")
        expect(student.f(student.file("gone.jsonl", None))).is_none()

    assert result(read, case).status == "passed"


def test_each_file_has_a_folder_of_its_own_and_all_go_with_the_student() -> None:
    student = InProcessStudent({"f": str}, ("f",))
    student.enter(World("seed"))
    paths = [Path(student.f(student.file("run.jsonl", b"x")).plain) for _ in range(2)]
    assert paths[0] != paths[1] and all(path.exists() for path in paths)
    del student
    gc.collect()
    assert not any(path.exists() for path in paths)


def test_in_a_folder_that_is_named_the_paths_are_the_same_each_time(tmp_path: Path) -> None:
    request = {"run": "1", "op": "file", "name": "run.jsonl", "content": {"$": "bytes", "v": "00"}}
    side = StudentSide({}, lambda message: message, str(tmp_path))
    said = [side.handle({**request, "keep": False, "seconds": 1})["value"] for _ in range(2)]
    assert said == [
        str(tmp_path / "file-of-the-check-1" / "run.jsonl"),
        str(tmp_path / "file-of-the-check-2" / "run.jsonl"),
    ]


def test_a_message_names_the_file_and_what_is_in_it_and_no_path() -> None:
    def case(student: Student, world: World) -> None:
        expect(student.f(student.file("run.jsonl", b"{}\n"))).equals(1)

    def gone(student: Student, world: World) -> None:
        expect(student.f(student.file("run.jsonl", None))).equals(1)

    for with_content, shown in ((case, "f(<run.jsonl, in it b'{}\\n'>)"), (gone, "f(<run.jsonl, which is not there>)")):
        finding = result(lambda path: 2, with_content).finding
        assert finding is not None
        assert finding.call == shown


def test_an_exception_that_names_the_file_shows_no_folder() -> None:
    def case(student: Student, world: World) -> None:
        student.f(student.file("run.jsonl", None))

    finding = result(lambda path: Path(path).read_bytes(), case).finding
    assert finding is not None
    assert finding.got == "FileNotFoundError: No such file or directory: 'run.jsonl'"


@pytest.mark.parametrize("folder", ["/scratch/file-of-the-check-1/", r"C:\\Temp\\check-x\\file-of-the-check-12\\"])
def test_a_value_with_a_path_in_it_shows_no_folder(folder: str) -> None:
    assert show({"detail": f"no such file: {folder}run.jsonl"}) == "{'detail': 'no such file: run.jsonl'}"


def test_what_only_looks_like_such_a_folder_stays() -> None:
    assert show("a/file-of-the-check-x/b file-of-the-check-") == "'a/file-of-the-check-x/b file-of-the-check-'"


# --------------------------------------------------------------------------------------------------------- transcripts
def test_a_transcript_of_the_world_is_intact_and_another_one_each_time() -> None:
    world = World("seed")
    first, second = world.transcript(4), world.transcript(4)
    assert [len(first.records), verify_records(first.records), verify_records(second.records)] == [4, [], []]
    assert first.to_bytes() != second.to_bytes()
    assert World("seed").transcript(4).to_bytes() == first.to_bytes()


def test_what_a_tool_was_given_first_is_the_same_by_position_and_by_name() -> None:
    world = World("seed")
    tool = world.tool(lambda *args, **kwargs: None)
    world.open(1)
    tool([1], 2)
    tool(records=[1])
    tool()
    assert world.ledger.given(tool).plain == [[1], [1], None]


@pytest.mark.parametrize(
    ("faults", "got"),
    [
        ([], "no fault"),
        ([{"index": 1, "kind": "seq_gap"}], "'seq_gap' at index 1"),
        ([{"index": True, "kind": "hash_mismatch"}], "'hash_mismatch' at index True"),
        ([{"index": 2, "kind": "hash_mismatch"}, {"index": 1, "kind": "hash_mismatch"}], "'hash_mismatch' at index 2"),
    ],
)
def test_the_first_fault_is_compared_and_the_message_says_both(faults: list[dict[str, Any]], got: str) -> None:
    with pytest.raises(Failure) as failure:
        expect_fault(Seen(faults, "the returned value"), 1, "hash_mismatch", because="why")
    assert (failure.value.got, failure.value.because) == (got, "why")
    assert failure.value.expected == "first of all a fault of the kind 'hash_mismatch' at index 1"


@pytest.mark.parametrize(
    ("faults", "got"),
    [
        ([{"index": 0, "kind": "hash_mismatch"}], "none there"),
        ([{"index": 1, "kind": "seq_gap"}, {"index": 1, "kind": "hash_mismatch"}], "'seq_gap' at index 1"),
    ],
)
def test_behind_others_the_first_fault_at_its_index_counts(faults: list[dict[str, Any]], got: str) -> None:
    with pytest.raises(Failure) as failure:
        expect_fault(Seen(faults, "the returned value"), 1, "hash_mismatch", behind=True)
    assert failure.value.got == got
    before = [{"index": 0, "kind": "anything"}, {"index": 1, "kind": "hash_mismatch"}]
    expect_fault(Seen(before, "the returned value"), 1, "hash_mismatch", behind=True)


def test_faults_behind_the_first_one_are_nobodys_business_here() -> None:
    faults = [{"index": 1, "kind": "hash_mismatch", "detail": "x"}, {"index": 0, "kind": "anything"}]
    expect_fault(Seen(faults, "the returned value"), 1, "hash_mismatch")


@pytest.mark.parametrize("faults", [None, 7, ["hash_mismatch"], [{"index": 1}]])
def test_what_is_no_list_of_faults_is_the_students_failure(faults: object) -> None:
    with pytest.raises(Failure):
        expect_fault(Seen(faults, "the returned value"), 1, "hash_mismatch")
