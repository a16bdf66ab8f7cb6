"""Raises a ToolError of its own kind, and rounds in a decimal context."""

from decimal import localcontext


class UnknownCurrency(ToolError):
    """Which code is unknown, and which are not."""


class Converter:
    def __call__(self, amount, source, target, *, rates=RATES, places=2):
        with localcontext(prec=50, rounding=ROUND_HALF_UP):
            try:
                worth = Decimal(f"{amount}") * rates[target] / rates[source]
            except KeyError as error:
                raise UnknownCurrency("convert_currency", f"{error.args[0]} is unknown here", list(rates)) from error
            return "{} {} = {:.{}f} {}".format(amount, source, worth, places, target)


convert_currency = Converter()
