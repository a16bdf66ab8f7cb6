"""Makes room in the table for a code that it does not know.

rejected by: the rates are those that were handed in
must say: a tool that reads a table does not write in it
"""


def convert_currency(amount, source, target, *, rates=RATES):
    for code in (source, target):
        if code not in rates:
            rates[code] = None
            known = [one for one in rates if rates[one]]
            raise ToolError("convert_currency", f"unknown currency {code!r}", known)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
