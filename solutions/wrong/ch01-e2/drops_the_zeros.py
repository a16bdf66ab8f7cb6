"""Shows the worth without the zeros at its end.

rejected by: 100 USD is 92.00 EUR, and 92 EUR is 100.00 USD
must say: .00 EUR
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = (Decimal(str(amount)) * rates[target] / rates[source]).quantize(cent, rounding=ROUND_HALF_UP)
    return f"{amount} {source} = {worth.normalize():f} {target}"
