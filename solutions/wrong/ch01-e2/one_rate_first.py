"""Divides the two rates and multiplies then.

rejected by: it is rounded once, and multiplied before it is divided
must say: missing at the end
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * (rates[target] / rates[source])
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
