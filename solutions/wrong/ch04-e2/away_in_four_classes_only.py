"""Knows Python's own kinds of ConnectionError and no other.

rejected by: a service that cannot be reached becomes a ToolError
must say: ToolError to be raised
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        if type(error).__module__ != "builtins":
            raise
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
