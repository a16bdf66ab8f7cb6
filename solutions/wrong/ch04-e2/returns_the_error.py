"""Returns the ToolError in place of raising it.

rejected by: a service that cannot be reached becomes a ToolError
must say: comes back as a value
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError:
        return ToolError("live_rate", "the rate service cannot be reached")
    except TimeoutError:
        return ToolError("live_rate", "the rate service did not answer in time")
