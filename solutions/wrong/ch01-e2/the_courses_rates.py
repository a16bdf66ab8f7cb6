"""Reads the course's rates, whatever was handed in.

rejected by: the rates are those that were handed in
must say: unknown currency
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in RATES:
            raise ToolError("convert_currency", f"unknown currency {code!r}", RATES)
    worth = Decimal(str(amount)) * RATES[target] / RATES[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
