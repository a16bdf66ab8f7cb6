"""Multiplies by the rate of the source and divides by that of the target.

rejected by: 100 USD is 92.00 EUR, and 92 EUR is 100.00 USD
must say: one dollar buys 0.92 euros
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[source] / rates[target]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
