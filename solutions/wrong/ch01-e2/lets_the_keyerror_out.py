"""Looks the rates up and lets the KeyError go.

rejected by: an unknown code is refused, on either side and for any amount
must say: ToolError to be raised
"""


def convert_currency(amount, source, target, *, rates=RATES):
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
