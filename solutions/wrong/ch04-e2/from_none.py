"""Drops the cause on purpose.

rejected by: what the service raised stays on it as its cause
must say: raise … from
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from None
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from None
