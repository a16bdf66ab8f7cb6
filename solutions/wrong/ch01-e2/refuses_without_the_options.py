"""Refuses and does not say what would have been right.

rejected by: the refusal names the tool, the unknown code, and the codes that are known
must say: ask again, and right
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}")
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
