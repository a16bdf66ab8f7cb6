"""Makes a class of the same name, which no program that catches ToolError knows.

rejected by: an unknown code is refused, on either side and for any amount
must say: another class of that name
"""


class ToolError(Exception):
    def __init__(self, tool, problem, options):
        super().__init__(f"{tool}: {problem} (have: {', '.join(sorted(options))})")


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
