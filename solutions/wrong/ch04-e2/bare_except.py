"""Catches everything, an interrupt too.

rejected by: an interrupt stops it
must say: Ctrl+C
"""

def live_rate(code, service):
    try:
        return service(code)
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    except:  # noqa: E722
        raise ToolError("live_rate", "the rate service cannot be reached")
