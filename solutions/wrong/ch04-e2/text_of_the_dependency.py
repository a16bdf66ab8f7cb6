"""Puts the text of the dependency into the message.

rejected by: a service that cannot be reached becomes a ToolError
must say: the rate service cannot be reached
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", str(error)) from error
    except TimeoutError as error:
        raise ToolError("live_rate", str(error)) from error
