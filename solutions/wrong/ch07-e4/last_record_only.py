"""Returns the record of the last attempt.

rejected by: every attempt has a record, numbered from 1
must say: every attempt is recorded
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        last = records[-1:]
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return last
        if len(records) >= min(attempts, left):
            return last
        sleep(2 ** (len(records) - 1))
