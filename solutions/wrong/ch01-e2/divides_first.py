"""Makes dollars of the amount and multiplies then.

rejected by: it is rounded once, and multiplied before it is divided
must say: missing at the end
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) / rates[source] * rates[target]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
