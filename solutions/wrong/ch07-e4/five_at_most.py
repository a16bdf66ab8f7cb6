"""Makes five attempts at most.

rejected by: an idempotent tool that was unavailable is tried again, after waiting
must say: the tool is idempotent and the failure may pass, so it is tried again
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(5, attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
