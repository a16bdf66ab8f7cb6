"""Rounds as Decimal does where nobody says how.

rejected by: half a cent goes away from zero
must say: expected
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent)} {target}"
