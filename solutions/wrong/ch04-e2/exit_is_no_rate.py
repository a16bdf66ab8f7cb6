"""Takes an exit for a rate that is not there.

rejected by: any other exception comes through as it is
must say: what nobody expected is a defect
"""

def live_rate(code, service):
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    except SystemExit:
        return None
