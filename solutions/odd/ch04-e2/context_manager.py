"""Translates in a context manager."""

from contextlib import contextmanager


@contextmanager
def translated(tool, problems):
    try:
        yield
    except tuple(problems) as error:
        problem = next(text for kind, text in problems.items() if isinstance(error, kind))
        raise ToolError(tool, problem) from error


def live_rate(code, service, *, tool="live_rate"):
    problems = {
        ConnectionError: "the rate service cannot be reached",
        TimeoutError: "the rate service did not answer in time",
    }
    with translated(tool, problems):
        return service(code)
