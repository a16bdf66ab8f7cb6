"""Says of both that the service cannot be reached.

rejected by: a service that does not answer in time becomes another one
must say: different remedies
"""

def live_rate(code, service):
    try:
        return service(code)
    except (ConnectionError, TimeoutError) as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
