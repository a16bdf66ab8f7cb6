"""Converts a currency into itself without a look at the table.

rejected by: an unknown code is refused, on either side and for any amount
must say: what is returned counts as a result
"""


def convert_currency(amount, source, target, *, rates=RATES):
    if source == target:
        return f"{amount} {source} = {Decimal(str(amount)).quantize(cent, rounding=ROUND_HALF_UP)} {target}"
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
