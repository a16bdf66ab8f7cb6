"""Computes in float and rounds what comes out.

rejected by: a float counts as the number that is written, and a Decimal as itself
must say: somebody pays the difference
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    return f"{amount} {source} = {float(amount) * float(rates[target]) / float(rates[source]):.2f} {target}"
