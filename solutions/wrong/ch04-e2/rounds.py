"""Rounds the rate to cents.

rejected by: whatever the service returns is a rate, also 0, and each call asks anew
must say: the service says
"""

def live_rate(code, service):
    try:
        rate = service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    return round(rate, 2) if isinstance(rate, float) else rate
