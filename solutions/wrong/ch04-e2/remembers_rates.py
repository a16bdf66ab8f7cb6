"""Keeps each rate, whatever service it came from.

rejected by: whatever the service returns is a rate, also 0, and each call asks anew
must say: each time anew
"""

RATES_SEEN = {}


def live_rate(code, service):
    try:
        if code not in RATES_SEEN:
            RATES_SEEN[code] = service(code)
        return RATES_SEEN[code]
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
