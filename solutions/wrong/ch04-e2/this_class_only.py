"""Compares the class, and so misses its kinds.

rejected by: a service that cannot be reached becomes a ToolError
must say: to be raised
"""

def live_rate(code, service):
    try:
        return service(code)
    except Exception as error:
        if type(error) is ConnectionError:
            raise ToolError("live_rate", "the rate service cannot be reached") from error
        if type(error) is TimeoutError:
            raise ToolError("live_rate", "the rate service did not answer in time") from error
        raise
