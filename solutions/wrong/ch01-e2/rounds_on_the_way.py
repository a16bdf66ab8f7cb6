"""Rounds to six decimals before it rounds to two.

rejected by: it is rounded once, and multiplied before it is divided
must say: what is rounded on the way is rounded twice
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = round(Decimal(str(amount)) * rates[target] / rates[source], 6)
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
