"""Checks the source and takes an unknown target for dollars.

rejected by: an unknown code is refused, on either side and for any amount
must say: ToolError to be raised
"""


def convert_currency(amount, source, target, *, rates=RATES):
    if source not in rates:
        raise ToolError("convert_currency", f"unknown currency {source!r}", rates)
    worth = Decimal(str(amount)) * rates.get(target, 1) / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
