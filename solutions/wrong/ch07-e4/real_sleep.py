"""Sleeps itself, and does not use the `sleep` that it is given.

rejected by: no more than the run can pay for
must say: seconds slept
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
        import time

        time.sleep(0.001 * 2 ** (len(records) - 1))
