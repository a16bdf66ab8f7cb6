"""Looks at what is left only when little is.

rejected by: no more than the run can pay for
must say: a retry costs what a first attempt costs
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= (min(attempts, left) if left < 3 else attempts):
            return records
        sleep(2 ** (len(records) - 1))
