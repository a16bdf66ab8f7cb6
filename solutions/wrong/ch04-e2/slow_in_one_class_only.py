"""Knows TimeoutError and no class below it.

rejected by: a service that does not answer in time becomes another one
must say: a class of its own below TimeoutError
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        if type(error) is not TimeoutError:
            raise
        raise ToolError("live_rate", "the rate service did not answer in time") from error
