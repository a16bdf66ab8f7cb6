"""Converts an amount of nothing before it looks at the codes.

rejected by: an unknown code is refused, on either side and for any amount
must say: amount=0
"""


def convert_currency(amount, source, target, *, rates=RATES):
    if amount == 0:
        return f"{amount} {source} = 0.00 {target}"
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
