"""Waits no longer than eight seconds.

rejected by: an idempotent tool that was unavailable is tried again, after waiting
must say: 1 second, then twice as long each time
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(min(8, 2 ** (len(records) - 1)))
