"""Catches OSError, and with it the files that may not be read.

rejected by: so do the other kinds of OSError
must say: no service that is away
"""

def live_rate(code, service):
    try:
        return service(code)
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    except OSError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
