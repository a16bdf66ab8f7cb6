"""A class with `__call__` that sets `__cause__` itself and re-raises the rest."""

class LiveRate:
    problems = ((TimeoutError, "did not answer in time"), (ConnectionError, "cannot be reached"))

    def __call__(self, code, service):
        try:
            rate = service(code)
        except OSError as error:
            for kind, problem in self.problems:
                if isinstance(error, kind):
                    refusal = ToolError(f"live_rate: the rate service {problem}")
                    refusal.__cause__ = error
                    raise refusal
            raise
        else:
            return rate


live_rate = LiveRate()
