"""Rounds to cents of a dollar on the way.

rejected by: it is rounded once, and multiplied before it is divided
must say: missing at the end
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    dollars = (Decimal(str(amount)) / rates[source]).quantize(cent, rounding=ROUND_HALF_UP)
    return f"{amount} {source} = {(dollars * rates[target]).quantize(cent, rounding=ROUND_HALF_UP)} {target}"
