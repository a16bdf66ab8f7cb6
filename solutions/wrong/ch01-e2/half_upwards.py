"""Rounds half a cent up, also below zero.

rejected by: half a cent goes away from zero
must say: amount=Decimal('-
"""

from decimal import ROUND_FLOOR


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source] + Decimal("0.005")
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_FLOOR)} {target}"
