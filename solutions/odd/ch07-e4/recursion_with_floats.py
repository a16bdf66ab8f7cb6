"""One attempt a call of a function, and waits as floats."""


def call_with_retries(tools, call, attempts, left, sleep):
    def from_here(number, wait):
        outcome = attempt(tools, call)
        first = [tool_record(call, outcome, attempt=number)]
        may_pass = outcome.get("retryable", False) and tools[call.name].idempotent
        if not may_pass or number == attempts or number == left:
            return first
        sleep(wait)
        return first + from_here(number + 1, 2 * wait)

    return from_here(1, 1.0)
