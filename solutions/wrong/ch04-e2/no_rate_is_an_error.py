"""Takes a rate of 0 for none.

rejected by: whatever the service returns is a rate, also 0, and each call asks anew
must say: gave no rate
"""

def live_rate(code, service):
    try:
        rate = service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    if not rate:
        raise ToolError("live_rate", "the rate service gave no rate")
    return rate
