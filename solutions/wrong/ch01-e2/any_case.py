"""Takes usd for USD.

rejected by: an unknown code is refused, on either side and for any amount
must say: ToolError to be raised
"""


def convert_currency(amount, source, target, *, rates=RATES):
    source, target = source.upper(), target.upper()
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
