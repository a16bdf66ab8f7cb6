"""Counts in fractions and rounds by hand."""

from fractions import Fraction


def convert_currency(amount, source, target, rates=RATES):
    missing = [code for code in (source, target) if code not in rates]
    if missing:
        raise ToolError(f"convert_currency: no rate for {missing[0]}, only for {', '.join(rates)}")
    worth = Fraction(str(amount)) * Fraction(rates[target]) / Fraction(rates[source])
    cents = int(abs(worth) * 100 + Fraction(1, 2))
    sign = "-" if worth < 0 and cents else ""
    return f"{amount} {source} = {sign}{cents // 100}.{cents % 100:02d} {target}"
