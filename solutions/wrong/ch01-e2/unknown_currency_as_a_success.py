"""Returns "unknown currency" as if it were a result.

rejected by: an unknown code is refused, on either side and for any amount
must say: a program does not read it
"""


def convert_currency(amount, source, target, *, rates=RATES):
    if source not in rates or target not in rates:
        return "unknown currency"
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
