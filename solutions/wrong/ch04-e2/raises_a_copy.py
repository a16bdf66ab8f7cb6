"""Raises another exception of the same class.

rejected by: any other exception comes through as it is
must say: a copy has lost the place
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    except (KeyError, ValueError) as error:
        raise type(error)(*error.args)
