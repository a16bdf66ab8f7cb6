"""Takes `attempts` for the number of retries.

rejected by: no more than `attempts`, and no wait after the last
must say: counts the first one too
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) > min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
