"""Failure injection: how often it answers, what it raises, and that two of them share nothing."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.corpus import list_documents
from course.errors import ToolError
from course.flaky import flaky

GONE = "list_documents: the corpus index went away mid-run"


def echo(*args: object, **kwargs: object) -> tuple[object, ...]:
    return args, kwargs


@settings(derandomize=True, max_examples=30, deadline=None)
@given(after=st.integers(0, 12), extra=st.integers(1, 4))
def test_it_answers_exactly_after_times_and_then_raises_every_time(after: int, extra: int) -> None:
    tool = flaky(echo, after=after, error="echo: gone")
    assert [tool(n) for n in range(after)] == [echo(n) for n in range(after)]
    for _ in range(extra):
        with pytest.raises(ToolError, match=r"^echo: gone$"):
            tool()


def test_the_example_that_every_text_uses_answers_twice_and_goes_away() -> None:
    index = flaky(list_documents, after=2, error=GONE)
    assert index(tag="retrieval") == index(tag="retrieval") == ["rag-basics"]
    with pytest.raises(ToolError) as caught:
        index(tag="retrieval")
    assert str(caught.value) == GONE


def test_arguments_pass_through_by_position_and_by_name() -> None:
    assert flaky(echo, after=1, error="x")(1, 2, key=3) == ((1, 2), {"key": 3})


def test_after_the_end_the_tool_itself_is_not_called() -> None:
    calls: list[int] = []
    tool = flaky(calls.append, after=1, error="x")
    tool(1)
    with pytest.raises(ToolError):
        tool(2)
    assert calls == [1]


def test_each_instance_has_a_counter_of_its_own() -> None:
    first, second = flaky(echo, after=1, error="x"), flaky(echo, after=1, error="x")
    first()
    assert second() == ((), {})


def test_a_call_that_the_tool_refuses_is_one_of_those_that_reach_it() -> None:
    def refuse() -> None:
        raise ToolError("refuse: no")

    tool = flaky(refuse, after=1, error="gone")
    with pytest.raises(ToolError, match="refuse: no"):
        tool()
    with pytest.raises(ToolError, match="gone"):
        tool()


def test_fresh_starts_at_zero_and_leaves_the_first_one_where_it_was() -> None:
    tool = flaky(echo, after=1, error="x")
    tool()
    other = tool.fresh()
    assert other() == ((), {})
    with pytest.raises(ToolError):
        tool()


def test_name_docstring_and_signature_are_those_of_the_tool() -> None:
    tool = flaky(list_documents, after=1, error="x")
    assert tool.__name__ == "list_documents"
    assert tool.fresh().__name__ == "list_documents"
    assert tool.__doc__ == list_documents.__doc__
    assert inspect.signature(tool) == inspect.signature(list_documents)


def test_a_callable_without_a_name_is_named_by_its_type() -> None:
    assert flaky(partial(echo, 1), after=1, error="x").__name__ == "partial"


@pytest.mark.parametrize("error", [KeyError("k"), KeyError, KeyboardInterrupt])
def test_an_exception_or_its_class_is_raised_as_it_is(error: Any) -> None:
    expected = error if isinstance(error, type) else type(error)
    with pytest.raises(expected) as caught:
        flaky(echo, after=0, error=error)()
    if not isinstance(error, type):
        assert caught.value is error


@pytest.mark.parametrize("after", [-1, 1.0, True, "2", None])
def test_an_after_that_is_no_count_is_refused_with_its_value(after: Any) -> None:
    with pytest.raises(ValueError, match="after must be an integer of at least 0"):
        flaky(echo, after=after, error="x")


@pytest.mark.parametrize("error", [None, 3, int, ["x"]])
def test_an_error_that_cannot_be_raised_is_refused_at_once(error: Any) -> None:
    with pytest.raises(TypeError, match="error must be a message or an exception"):
        flaky(echo, after=1, error=error)
