"""Claims: one that does not hold says what was expected, what was there, and why it matters."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from grader.engine.expect import Expectation, Failure, Seen, expect, expect_raises, expect_refusal, same, show
from grader.engine.student import Stopped, StudentError

Claim = Callable[[Expectation], object]

HOLDS: list[tuple[object, Claim]] = [
    ([1, {"a": (1.0, None)}], lambda e: e.equals([1, {"a": (1.0, None)}])),
    (1, lambda e: e.differs(True)),
    (2, lambda e: e.one_of([1, 2])),
    ("a text", lambda e: e.contains("a", "text")),
    ("a text", lambda e: e.lacks("b", "c")),
    (None, lambda e: e.is_none()),
    (" x ", lambda e: e.is_text()),
    (True, lambda e: e.is_true()),
    (1, lambda e: e.is_a(int, float)),
    ({"a": 1, "b": 2}, lambda e: e.has_keys("b", "a")),
    ([1, 2], lambda e: e.has_length(2)),
    ([None], lambda e: e.has_some("thing")),
    (2.5, lambda e: e.is_at_most(3)),
    (Decimal(3), lambda e: e.is_at_most(3)),
]


@pytest.mark.parametrize(("value", "claim"), HOLDS)
def test_a_claim_that_holds_hands_the_claim_on(value: object, claim: Claim) -> None:
    begun = expect(value)
    assert claim(begun) is begun


FAILS: list[tuple[object, Claim, str, str]] = [
    (2, lambda e: e.equals(1), "1", "2"),
    (True, lambda e: e.equals(1), "1", "True"),
    ([1.0], lambda e: e.equals([1]), "[1]", "[1.0]"),
    ((1,), lambda e: e.equals([1]), "[1]", "(1,)"),
    (1, lambda e: e.differs(1), "anything but 1", "1"),
    (3, lambda e: e.one_of([1, "x"]), "one of 1, 'x'", "3"),
    ("a text", lambda e: e.contains("a", "b"), "a text with 'b' in it", "'a text'"),
    (None, lambda e: e.contains("b"), "a text with 'b' in it", "None"),
    ("a text", lambda e: e.lacks("b", "text"), "a text without 'text'", "'a text'"),
    (None, lambda e: e.lacks("b"), "a text without 'b'", "None"),
    (0, lambda e: e.is_none(), "None", "0"),
    (" ", lambda e: e.is_text(), "a text that is not empty", "' '"),
    (1, lambda e: e.is_true(), "True", "1"),
    ([], lambda e: e.has_some("thing"), "at least one thing", "[]"),
    ("a text", lambda e: e.has_some("thing"), "at least one thing", "'a text'"),
    (True, lambda e: e.is_a(int, float), "a value of type int or float", "True"),
    ([], lambda e: e.has_keys("a", "b"), "a dict with the keys a, b", "[]"),
    ({"a": 1, "c": 1}, lambda e: e.has_keys("a", "b"), "exactly the keys a, b (missing b; not wanted 'c')",
     "{'a': 1, 'c': 1}"),
    ({"a": 1, 2: 1}, lambda e: e.has_keys("a"), "exactly the keys a (not wanted 2)", "{'a': 1, 2: 1}"),
    ([1], lambda e: e.has_length(2), "2 of them", "[1]"),
    (1, lambda e: e.has_length(1), "1 of them", "1"),
    (4, lambda e: e.is_at_most(3), "at most 3", "4"),
    (True, lambda e: e.is_at_most(3), "at most 3", "True"),
    (float("nan"), lambda e: e.is_at_most(3), "at most 3", "nan"),
    (Decimal("sNaN"), lambda e: e.is_at_most(3), "at most 3", "Decimal('sNaN')"),
    ("3", lambda e: e.is_at_most(3), "at most 3", "'3'"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "claim", "expected", "got"), FAILS)
def test_a_claim_that_does_not_hold_says_what_was_expected_and_what_was_there(
    value: object, claim: Claim, expected: str, got: str
) -> None:
    with pytest.raises(Failure) as failure:
        claim(expect(value, because="it matters"))
    assert (failure.value.expected, failure.value.got, failure.value.because) == (expected, got, "it matters")


def test_a_claim_about_something_that_was_seen_names_its_place() -> None:
    seen = Seen({"steps": [{"tool": "x"}]}, "the returned value")
    with pytest.raises(Failure) as failure:
        expect(seen["steps"][0]["tool"], because="general").equals("y", because="in particular")
    assert failure.value.got == "the returned value['steps'][0]['tool'] = 'x'"
    assert failure.value.because == "in particular"


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        (lambda seen: seen["b"], "it with 'b' in it"),
        (lambda seen: seen["a"][5], "it['a'] with 5 in it"),
        (lambda seen: seen["n"]["x"], "it['n'] with 'x' in it"),
        (lambda seen: list(seen["n"]), "it['n'] as a list"),
        (lambda seen: len(seen["n"]), "it['n'] with a length"),
    ],
)
def test_what_is_not_there_is_a_failure_and_no_crash(look: Callable[[Seen], Any], expected: str) -> None:
    with pytest.raises(Failure) as failure:
        look(Seen({"a": [1], "n": 1}, "it"))
    assert failure.value.expected == expected


def test_a_seen_list_is_gone_through_in_order() -> None:
    assert [(one.plain, one.place) for one in Seen([1, 2], "it")] == [(1, "it[0]"), (2, "it[1]")]
    assert len(Seen("four", "it")) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True), (1, 1.0), ([1], (1,)), ({"a": 1}, {"a": True}), ({1: "x"}, {True: "x"}), ({(1,): 0}, {(True,): 0}),
        ({1}, {True}), ({(1,)}, {(1.0,)}), (frozenset([1]), {1}), ({frozenset([1])}, {frozenset([True])}), (0, None),
        (float("nan"), 1.0), (Decimal("NaN"), Decimal(1)), (Decimal("sNaN"), Decimal(1)), ([1, 2], [1]),
        ({"a": 1}, {"a": 1, "b": 2}),
    ],
)  # fmt: skip
def test_what_differs_in_value_or_type_anywhere_is_not_the_same(one: object, other: object) -> None:
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    "value",
    [float("nan"), Decimal("NaN"), Decimal("sNaN"), {(1, (2,)), "x"}, {frozenset([1]): [float("nan")]}],
    ids=["nan", "a Decimal nan", "a signalling nan", "a set with a tuple", "a dict with a frozenset"],
)
def test_a_value_is_the_same_as_its_like(value: object) -> None:
    from copy import deepcopy

    assert same(value, deepcopy(value))


def test_a_long_value_is_shown_with_its_middle_cut_out() -> None:
    shown = show("x" * 500)
    assert shown.startswith("'xxx") and shown.endswith("xxx'") and "… (502 characters) …" in shown
    assert len(shown) < 340
    assert len(show(["x" * 5_000_000])) < 340


def test_what_cannot_be_shown_is_shown_by_its_type() -> None:
    assert show(10**5000) == "<int>"


def test_nothing_that_is_shown_steers_a_terminal() -> None:
    assert show("\x1b[2J\u202e\ud800") == r"'\x1b[2J\u202e\ud800'"
    assert Failure("a", show(KeyError("\x1b"))).got == "KeyError('\\x1b')"


# ----------------------------------------------------------------------------------------------------------- exceptions
def student_error(error: BaseException) -> StudentError:
    return StudentError(error, [type(error).__name__], str(error), [])


def test_the_exception_that_was_expected_is_the_end_of_it() -> None:
    with expect_raises(ValueError, KeyError, saying=["too", "small"]):
        raise student_error(ValueError("too small"))


@pytest.mark.parametrize(
    ("raised", "expected", "got"),
    [
        (student_error(TypeError("x")), "ValueError to be raised", "TypeError: x"),
        (student_error(ValueError("small")), "ValueError with 'large' in its text", "'small'"),
        (None, "ValueError to be raised", "no exception"),
    ],
)
def test_another_exception_another_text_or_none_is_a_failure(raised: Exception | None, expected: str, got: str) -> None:
    with pytest.raises(Failure) as failure, expect_raises(ValueError, saying=["large"], because="it matters"):
        if raised:
            raise raised
    assert (failure.value.expected, failure.value.got, failure.value.because) == (expected, got, "it matters")


def test_an_exit_may_be_expected_and_a_time_out_may_not() -> None:
    with expect_raises(SystemExit):
        raise Stopped("crashed", "ended with SystemExit", SystemExit(1))
    with pytest.raises(Stopped), expect_raises(SystemExit):
        raise Stopped("timed_out", "did not return")


def test_a_claim_that_fails_while_an_exception_is_awaited_stays_that_failure() -> None:
    with pytest.raises(Failure) as failure, expect_raises(ValueError):
        expect(1).equals(2)
    assert failure.value.expected == "2"


def test_a_refusal_has_no_answer_a_text_and_the_name_of_the_tool() -> None:
    good = {"answer": None, "refusal": "stopped: index is gone"}
    expect_refusal(Seen(good, "it"), naming="index")
    for wrong in ({"answer": "x"}, {"refusal": ""}, {"refusal": None}, {"refusal": "stopped"}):
        with pytest.raises(Failure):
            expect_refusal(Seen({**good, **wrong}, "it"), naming="index")
