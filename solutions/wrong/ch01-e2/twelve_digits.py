"""Counts with twelve digits.

rejected by: a float counts as the number that is written, and a Decimal as itself
must say: a Decimal has more digits than a float
"""

from decimal import localcontext


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    with localcontext(prec=12):
        worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
