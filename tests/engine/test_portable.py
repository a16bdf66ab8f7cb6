"""What a verdict says is the same on another system and in another version of Python."""

import os
import subprocess
import sys
import traceback

import pytest

from grader.engine.expect import Failure, expect_raises, portable, show
from grader.engine.side import _own_traceback


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FileNotFoundError: [Errno 44] No such file: 'a'", "FileNotFoundError: No such file: 'a'"),
        ("maximum recursion depth exceeded in comparison", "maximum recursion depth exceeded"),
        ("Stack overflow (used 8 kB) while calling a Python object, again", "maximum recursion depth exceeded, again"),
        (
            "maximum recursion depth exceeded while decoding a JSON array from a unicode string",
            "maximum recursion depth exceeded",
        ),
        ("argument of type 'int' is not a container or iterable", "argument of type 'int' is not iterable"),
        ("a recursion depth of 3, and [Errno] in a text", "a recursion depth of 3, and [Errno] in a text"),
    ],
)
def test_what_systems_and_versions_of_python_say_differently_is_said_in_one_way(text: str, said: str) -> None:
    assert portable(text) == said


def test_a_value_is_shown_so_too() -> None:
    assert show({"error": "[Errno 2] gone"}) == "{'error': 'gone'}"


def test_an_exception_that_was_not_expected_is_told_so_too() -> None:
    class Outcome(Exception):
        error = RecursionError("Stack overflow (used 40 kB) in comparison")

    with (
        pytest.raises(Failure, match=r"got RecursionError: maximum recursion depth exceeded$"),
        expect_raises(ValueError),
    ):
        raise Outcome


def test_a_comprehension_has_no_line_of_its_own_in_a_traceback() -> None:
    names: dict[str, object] = {}
    text = "def f(rows):\n    return [\n        row['a']\n        for row in rows\n    ]\n"
    exec(compile(text, "student.py", "exec"), names)
    try:
        names["f"]([{}])  # type: ignore[operator]
    except KeyError as error:
        shown = _own_traceback(error)
        assert any(frame.name == "f" for frame in traceback.extract_tb(error.__traceback__))
    assert shown[-1] == "line 3, in f"
    assert not any("<listcomp>" in line for line in shown)


def test_a_set_is_shown_in_one_order_however_a_process_hashes_text() -> None:
    value = "[{'b', 'a', 3}, frozenset(), set(), frozenset({('x', 1)}), {'deep': ({'q', 'p', 'r'},)}]"
    code = f"from grader.engine.expect import show; print(show({value}))"
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in "12345"
    }
    assert shown == {"[{'a', 'b', 3}, frozenset(), set(), frozenset({('x', 1)}), {'deep': ({'p', 'q', 'r'},)}]\n"}
