"""Tries a second time before it gives up.

rejected by: a service that cannot be reached becomes a ToolError
must say: for the loop to decide
"""

def live_rate(code, service):
    try:
        try:
            return service(code)
        except (ConnectionError, TimeoutError):
            return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
