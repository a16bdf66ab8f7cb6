"""Keeps one attempt back when there are more than two.

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
        if len(records) >= min(attempts, left - (left > 2)):
            return records
        sleep(2 ** (len(records) - 1))
