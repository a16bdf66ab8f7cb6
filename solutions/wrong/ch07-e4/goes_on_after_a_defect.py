"""Tries again after a failure that cannot pass, once one could.

rejected by: each outcome decides for itself whether there is another attempt
must say: the second failure cannot pass
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or (not outcome["retryable"] and len(records) == 1) or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
