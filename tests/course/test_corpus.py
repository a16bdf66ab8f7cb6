"""The corpus and its two tools: sorted, fresh, exact, and refusing what is not there."""

from __future__ import annotations

import decimal
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.corpus import convert_currency, list_documents
from course.data import DOCUMENTS, RATES, Document, load, write_documents
from course.errors import ToolError


def test_all_documents_are_listed_sorted_when_no_tag_is_given() -> None:
    assert list_documents() == list_documents(None) == list_documents(tag=None)
    assert list_documents() == sorted(document.id for document in DOCUMENTS)
    assert len(set(list_documents())) == len(DOCUMENTS)


def test_the_tag_retrieval_finds_exactly_rag_basics() -> None:
    assert list_documents(tag="retrieval") == ["rag-basics"]


def test_a_tag_finds_every_document_that_carries_it_sorted() -> None:
    assert list_documents("tools") == ["error-messages", "schema-basics", "tool-contracts"]


@pytest.mark.parametrize("tag", ["retriev", "Retrieval", "retrieval ", "", "rag-basics"])
def test_a_tag_matches_whole_and_by_case_and_none_found_is_an_empty_list(tag: str) -> None:
    assert list_documents(tag) == []


def test_each_list_is_fresh() -> None:
    list_documents().clear()
    list_documents("retrieval").append("x")
    assert list_documents("retrieval") == ["rag-basics"]
    assert len(list_documents()) == len(DOCUMENTS)


@pytest.mark.parametrize("tag", [3, ["retrieval"], True])
def test_a_tag_that_is_no_string_is_refused(tag: Any) -> None:
    with pytest.raises(ToolError, match=r"^list_documents: tag must be a string or null, got "):
        list_documents(tag)


def test_a_hundred_dollars_are_ninety_two_euros() -> None:
    assert convert_currency(100, "USD", "EUR") == "100 USD = 92.00 EUR"
    assert convert_currency(amount=92, source="EUR", target="USD") == "92 EUR = 100.00 USD"


@pytest.mark.parametrize(
    ("amount", "target", "text"),
    [
        (0.1 + 0.2, "USD", "0.30000000000000004 USD = 0.30 USD"),
        (1.005, "USD", "1.005 USD = 1.01 USD"),
        (-1.005, "USD", "-1.005 USD = -1.01 USD"),
        (2.675, "USD", "2.675 USD = 2.68 USD"),
        (100.0, "EUR", "100.0 USD = 92.00 EUR"),
        (-0.001, "EUR", "-0.001 USD = 0.00 EUR"),
        (-0.0, "EUR", "0.0 USD = 0.00 EUR"),
        (1e-7, "EUR", "0.0000001 USD = 0.00 EUR"),
        (Decimal("1e3"), "JPY", "1000 USD = 151500.00 JPY"),
        (10**15 - 1, "USD", "999999999999999 USD = 999999999999999.00 USD"),
    ],
)
def test_the_result_is_rounded_once_half_a_cent_away_from_zero(amount: Any, target: str, text: str) -> None:
    assert convert_currency(amount, "USD", target) == text


def test_a_half_cent_that_only_exact_arithmetic_sees_is_rounded_up() -> None:
    assert convert_currency(Decimal("0.0046"), "EUR", "USD") == "0.0046 EUR = 0.01 USD"


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(-(10**9), 10**9), st.sampled_from(sorted(RATES)), st.sampled_from(sorted(RATES)))
def test_every_conversion_is_within_half_a_cent_of_the_exact_value(cents: int, source: str, target: str) -> None:
    amount = Decimal(cents).scaleb(-2)
    shown = convert_currency(amount, source, target).split(" = ")[1].removesuffix(f" {target}")
    exact = Fraction(amount) * Fraction(RATES[target]) / Fraction(RATES[source])
    assert abs(Fraction(shown) - exact) <= Fraction(1, 200)
    assert shown[-3] == "."


def test_the_callers_decimal_context_changes_nothing() -> None:
    with decimal.localcontext(decimal.Context(prec=3, rounding=decimal.ROUND_UP)):
        assert convert_currency(123456, "USD", "EUR") == "123456 USD = 113579.52 EUR"


@pytest.mark.parametrize("code", ["usd", "XXX", "", None, 3, ["USD"]])
def test_an_unknown_code_is_refused_with_the_sorted_codes(code: Any) -> None:
    have = "(have: AUD, CHF, EUR, GBP, JPY, SEK, USD)"
    for args, role in [((1, code, "EUR"), "source"), ((1, "EUR", code), "target")]:
        with pytest.raises(ToolError) as refused:
            convert_currency(*args)
        assert str(refused.value) == f"convert_currency: unknown {role} currency {code!r} {have}"


@pytest.mark.parametrize("amount", [True, "100", None, [1], 1j])
def test_an_amount_that_is_no_number_is_refused(amount: Any) -> None:
    with pytest.raises(ToolError, match=r"^convert_currency: amount must be a number, got "):
        convert_currency(amount, "USD", "EUR")


@pytest.mark.parametrize(
    "amount", [float("nan"), float("-inf"), Decimal("sNaN"), Decimal("NaN"), 10**15, 10**5000], ids=lambda _: ""
)
def test_an_amount_without_size_or_end_is_refused(amount: Any) -> None:
    with pytest.raises(ToolError, match=r"^convert_currency: amount must be a finite number"):
        convert_currency(amount, "USD", "EUR")


def test_documents_and_rates_of_ones_own_can_be_handed_in() -> None:
    mine = [Document("b", "B", ("x",), ""), Document("a", "A", ("x", "y"), "")]
    assert list_documents("x", documents=mine) == ["a", "b"]
    assert list_documents(documents=()) == []
    assert convert_currency(1, "B", "A", rates={"A": Decimal(3), "B": Decimal(2)}) == "1 B = 1.50 A"
    with pytest.raises(ToolError, match=r"unknown target currency 'USD' \(have: A\)$"):
        convert_currency(1, "A", "USD", rates={"A": Decimal(3)})


def test_the_tables_cannot_be_changed_by_a_reader() -> None:
    with pytest.raises(TypeError):
        RATES["EUR"] = Decimal(2)  # type: ignore[index]
    load("rates").clear()
    assert convert_currency(100, "USD", "EUR") == "100 USD = 92.00 EUR"


def test_the_documents_can_be_written_as_files(tmp_path: Path) -> None:
    assert write_documents(tmp_path) == [f"{name}.txt" for name in list_documents()]
    assert sorted(path.name for path in tmp_path.iterdir()) == write_documents(tmp_path)
    assert (tmp_path / "rag-basics.txt").read_bytes().startswith(b"Retrieval before generation\n\nRetrieval picks")
