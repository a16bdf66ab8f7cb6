"""The wire catches what is printed in every way, and leaves the process as it found it."""

import os
import sys

import pytest

from course.stdio import WAYS, Noisy, Wire


def test_what_is_printed_in_any_way_is_caught_by_the_stream_that_it_went_to() -> None:
    wire = Wire(["a"])
    wire.open()
    printing = [way for way in WAYS if way != "replaced"]
    for way in printing:
        WAYS[way](f"noise of {way}")
    caught = wire.close()
    assert sorted(caught["stdout"].splitlines()) == sorted(f"noise of {way}" for way in printing if way != "stderr")
    assert caught["stderr"] == "noise of stderr\n"
    assert caught["trouble"] == ""


def test_the_streams_are_afterwards_what_they_were(capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr, os.fstat(1).st_ino, os.fstat(2).st_ino
    wire = Wire([])
    wire.open()
    print("inside")
    wire.close()
    assert (sys.stdout, sys.stderr, os.fstat(1).st_ino, os.fstat(2).st_ino) == before
    os.write(1, b"outside\n")
    assert capfd.readouterr().out == "outside\n"


def test_a_request_notes_what_was_on_the_wire_when_it_was_asked_for() -> None:
    wire = Wire(["a", "b", "c"])
    wire.open()
    for request in wire:
        print(request, flush=request != "b")
        print(request, file=sys.stderr)
    caught = wire.close()
    assert caught["asked"] == ["", "a\n", "a\n"]
    assert caught["heard"] == ["", "a\n", "a\nb\n"]


def test_a_stream_that_was_closed_is_named_and_the_rest_is_put_back() -> None:
    before = sys.stdout
    wire = Wire([])
    wire.open()
    sys.stderr.close()
    assert wire.close("mark") == {
        "stdout": "mark\nmark\n",
        "stderr": "mark\n",
        "asked": [],
        "heard": [],
        "trouble": "ValueError: I/O operation on closed file.",
    }
    assert sys.stdout is before


def test_the_last_words_reach_both_streams_by_both_layers() -> None:
    wire = Wire([])
    wire.open()
    caught = wire.close("mark")
    assert (caught["stdout"], caught["stderr"], caught["trouble"]) == ("mark\nmark\n", "mark\nmark\n", "")


def test_another_stdout_is_named_and_a_closed_descriptor_too() -> None:
    wire = Wire([])
    wire.open()
    WAYS["replaced"]("")
    assert wire.close("mark")["trouble"] == "sys.stdout is another object than before"
    wire.open()
    os.close(2)
    assert wire.close("mark")["trouble"].startswith("OSError")


def test_functions_that_were_put_in_the_place_of_others_move_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire([])
    wire.open()
    monkeypatch.setattr(os, "write", lambda number, data: 0)
    monkeypatch.setattr(sys.stdout, "write", lambda text: 0)
    try:
        WAYS["descriptor"]("below")
        WAYS["held"]("held")
    finally:
        caught = wire.close()
    assert caught["stdout"] == "below\nheld\n"


def test_a_noisy_answer_as_a_function_shows_nothing_and_prints_what_the_request_asks_for() -> None:
    answer = Noisy({"a": "1"}.get, lambda request: {"print": f"noise of {request}"}).as_function()
    wire = Wire([])
    wire.open()
    try:
        assert (answer("a"), answer("c"), vars(answer)) == ("1", None, {})
    finally:
        caught = wire.close()
    assert caught["stdout"] == "noise of a\nnoise of c\n"


def test_a_noisy_answer_prints_and_then_answers_or_raises() -> None:
    answer = Noisy({"a": "1"}.get, {"print": "noise"})
    broken = Noisy({"a": "1"}.__getitem__, {"print": "noise"})
    wire = Wire([])
    wire.open()
    try:
        assert (answer("a"), answer("c")) == ("1", None)
        with pytest.raises(KeyError, match="b"):
            broken("b")
    finally:
        caught = wire.close()
    assert caught["stdout"] == "noise\n" * 3
