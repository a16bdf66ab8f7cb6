"""Gives an exception that looks like the service's as the cause.

rejected by: what the service raised stays on it as its cause
must say: what really happened
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from type(error)(*error.args)
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from type(error)(*error.args)
