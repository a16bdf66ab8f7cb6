"""Progress beside the notebooks: the best result is kept, two kernels lose nothing, a broken file is set aside."""

import json
import multiprocessing
from pathlib import Path

import pytest

from grader.engine.verdict import CaseResult, Verdict
from grader.notebook import progress_file as progress


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "_unwritten", {})
    return tmp_path


def verdict(exercise: str, points: int, of: int) -> Verdict:
    status = "passed" if points == of else "failed"
    return Verdict(exercise, "A title", (CaseResult("case", "a case", status, points, of),))


def test_the_best_result_is_kept(folder: Path) -> None:
    for points in (2, 5, 1):
        progress.note_verdict(verdict("ch05-e3", points, 5))
    assert progress.entry("ch05-e3") == {"points": 5, "of": 5, "passed": True, "hints": 0, "gave_up": False}
    assert json.loads((folder / "progress.json").read_text(encoding="utf-8"))["ch05-e3"]["passed"] is True


def test_a_line_says_what_is_done_and_what_is_next() -> None:
    from grader.checks import sessions

    progress.note_verdict(verdict("ch05-e1", 11, 11))
    said = progress.line(sessions()["ch05"])
    assert said.startswith("session 5, best so far: 1 of 4 exercises done, 11 of 30 points; next: ch05-e2")


def test_hints_and_giving_up_are_remembered() -> None:
    assert [progress.note_hint("ch05-e1"), progress.note_hint("ch05-e1")] == [0, 1]
    progress.note_give_up("ch05-e2")
    shown = repr(progress.progress())
    assert "2 of 3 hints" in shown and "solution shown before a pass" in shown


@pytest.mark.parametrize("text", ["{", "[]", '{"ch05-e1": 3}', '{"ch05-e1": {"points": "x"}}', "[" * 100_000, ""])
def test_a_file_broken_by_hand_is_set_aside_and_progress_goes_on(folder: Path, text: str) -> None:
    (folder / "progress.json").write_text(text, encoding="utf-8")
    progress.note_verdict(verdict("ch05-e1", 3, 11))
    assert progress.entry("ch05-e1")["points"] == 3
    assert (folder / "progress.json.broken").read_text(encoding="utf-8") == text


def _note_hints(folder: str, exercise: str, count: int) -> None:
    import os

    os.chdir(folder)
    for _ in range(count):
        progress.note_hint(exercise)


def test_two_kernels_at_once_lose_nothing(folder: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    kernels = [spawn.Process(target=_note_hints, args=(str(folder), "ch05-e1", 20)) for _ in range(2)]
    for kernel in kernels:
        kernel.start()
    for kernel in kernels:
        kernel.join()
    assert [kernel.exitcode for kernel in kernels] == [0, 0]
    assert progress.entry("ch05-e1")["hints"] == 40
    assert sorted(path.name for path in folder.iterdir()) == ["progress.json"]


def test_where_the_folder_cannot_be_written_to_the_kernel_remembers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError("read-only")

    monkeypatch.setattr(progress.os, "open", refuse)
    assert [progress.note_hint("ch05-e1"), progress.note_hint("ch05-e1")] == [0, 1]
    assert list(folder.iterdir()) == []


def test_progress_is_a_table_with_headers_for_whoever_cannot_see_it() -> None:
    progress.note_verdict(verdict("ch05-e1", 11, 11))
    shown = progress.progress()._repr_mimebundle_()
    assert 'scope="col"' in shown["text/html"] and 'scope="row"' in shown["text/html"]
    assert "ch05-e1" in shown["text/plain"] and "done" in shown["text/plain"]


def test_a_lock_that_a_dead_kernel_left_behind_holds_nobody_up_for_ever(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_WAIT_SECONDS", 0.05)
    (folder / "progress.json.lock").touch()
    assert [progress.note_hint("ch05-e1"), progress.note_hint("ch05-e1")] == [0, 1]
    assert sorted(path.name for path in folder.iterdir()) == ["progress.json"]
