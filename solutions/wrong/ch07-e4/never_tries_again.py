"""Makes one attempt.

rejected by: an idempotent tool that was unavailable is tried again, after waiting
must say: it is tried again
"""


def call_with_retries(tools, call, attempts, left, sleep):
    return [tool_record(call, attempt(tools, call))]
