"""Asks once more where it has failed in a way that nobody expected.

rejected by: any other exception comes through as it is
must say: there is no second try
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    except Exception:
        return service(code)
