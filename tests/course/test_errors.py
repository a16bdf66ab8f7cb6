"""ToolError: one class, safe to show, specific, and not a bug."""

from __future__ import annotations

import copy
import pickle

import pytest

from course.errors import ToolError


def test_one_argument_is_the_whole_message() -> None:
    error = ToolError("list_documents: the corpus index went away mid-run")
    assert str(error) == "list_documents: the corpus index went away mid-run"


def test_three_arguments_start_with_the_tool_and_list_the_options_sorted() -> None:
    assert str(ToolError("read_note", "no note 'x'", {"b", "a", "c"})) == "read_note: no note 'x' (have: a, b, c)"


def test_options_that_are_not_given_add_nothing() -> None:
    assert str(ToolError("read_note", "the disk is full")) == "read_note: the disk is full"


def test_options_that_are_given_and_empty_say_that_there_are_none() -> None:
    assert str(ToolError("read_note", "no note 'x'", [])) == "read_note: no note 'x' (have: none)"


def test_options_may_be_any_iterable_and_are_left_as_they_were() -> None:
    options = ["b", "a"]
    assert str(ToolError("t", "p", options)) == str(ToolError("t", "p", iter(options))) == "t: p (have: a, b)"
    assert options == ["b", "a"]


def test_one_str_as_options_is_refused_before_its_letters_become_options() -> None:
    with pytest.raises(TypeError, match=r"got one str; write \['abc'\]"):
        ToolError("t", "p", "abc")


def test_it_is_a_plain_exception_so_its_text_is_not_quoted_and_it_is_no_key_error() -> None:
    assert ToolError.__bases__ == (Exception,)
    assert str(ToolError("a: 'b'")) == "a: 'b'"


@pytest.mark.parametrize("error", [ToolError("a: b"), ToolError("a", "b", ["d", "c"]), ToolError("a", "b", [])])
def test_pickle_and_copy_keep_the_message(error: ToolError) -> None:
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is ToolError
        assert (str(twin), twin.args) == (str(error), error.args)
