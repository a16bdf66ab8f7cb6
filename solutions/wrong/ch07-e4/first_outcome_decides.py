"""Asks the first outcome whether the call may be repeated.

rejected by: each outcome decides for itself whether there is another attempt
must say: the second failure cannot pass
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records, first = [], None
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        first = outcome if len(records) == 1 else first
        if outcome["ok"] or not first["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
