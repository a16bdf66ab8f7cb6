"""Makes a text of the rate.

rejected by: a rate comes back as the service gave it, after one call
must say: expected
"""

def live_rate(code, service):
    try:
        return str(service(code))
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
