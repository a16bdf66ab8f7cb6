"""Raises without `from`.

rejected by: what the service raised stays on it as its cause
must say: raise … from
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError:
        raise ToolError("live_rate", "the rate service cannot be reached")
    except TimeoutError:
        raise ToolError("live_rate", "the rate service did not answer in time")
