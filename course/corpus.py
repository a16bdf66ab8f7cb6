"""The two tools that every session uses: one lists documents, one converts an amount of money.

What they read, `documents` and `rates`, is handed in; left out, it is what `course.data` holds. A model gives neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext

from course.data import DOCUMENTS, RATES, Document
from course.errors import ToolError

LARGEST_AMOUNT = 10**15
CENT = Decimal("0.01")


def list_documents(tag: str | None = None, *, documents: Iterable[Document] = DOCUMENTS) -> list[str]:
    """Return the ids of the documents that carry `tag`, sorted; of all documents when `tag` is None.

    A tag matches whole and by exact case: `retriev` finds nothing. A tag that no document carries gives an empty list,
    because "none" is a true answer. The list is the caller's own to change.
    Raises ToolError when `tag` is neither a string nor None.
    """
    if tag is not None and not isinstance(tag, str):
        raise ToolError("list_documents", f"tag must be a string or null, got {type(tag).__name__}")
    return sorted(document.id for document in documents if tag is None or tag in document.tags)


def convert_currency(
    amount: int | float | Decimal, source: str, target: str, *, rates: Mapping[str, Decimal] = RATES
) -> str:
    """Return `100 USD = 92.00 EUR`: the amount as given, and its worth in `target` to two decimals (also for JPY).

    Arguments:
        amount: a finite number below 10**15 in size; a float counts as the decimal number that Python prints for it.
        source, target: currency codes of the table, upper case.
        rates: code -> units of it that one US dollar buys.

    Rounded once, at the end, half a cent away from zero. Raises ToolError for an amount that is no such number and for
    a code that is not in the table; the message lists those that are.
    """
    value = _amount(amount)
    for role, code in (("source", source), ("target", target)):
        if not isinstance(code, str) or code not in rates:
            raise ToolError("convert_currency", f"unknown {role} currency {code!r}", rates)
    with localcontext() as context:
        context.prec = 60  # the caller's own decimal context must not change the answer
        # Multiply first: 0.0046 * 1 / 0.92 is half a cent, 0.0046 * (1 / 0.92) a little less. The 0 makes -0.00 0.00.
        worth = (value * rates[target] / rates[source]).quantize(CENT, rounding=ROUND_HALF_UP) + 0
    return f"{value:f} {source} = {worth:f} {target}"


def _amount(amount: object) -> Decimal:
    if isinstance(amount, bool) or not isinstance(amount, (int, float, Decimal)):
        raise ToolError("convert_currency", f"amount must be a number, got {type(amount).__name__}")
    # Sizes are compared before any text is made of the number: str() of a very long int is refused by Python itself.
    # The comparison is false for NaN as well, but a signalling NaN raises in it, so finiteness is asked first.
    if isinstance(amount, Decimal) and not amount.is_finite():
        raise ToolError("convert_currency", "amount must be a finite number")
    if not -LARGEST_AMOUNT < amount < LARGEST_AMOUNT:
        raise ToolError("convert_currency", "amount must be a finite number below 10**15 in size")
    return abs(Decimal(str(amount))) if amount == 0 else Decimal(str(amount))
