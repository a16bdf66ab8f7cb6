"""Asks for the tool before it asks whether the failure may pass.

rejected by: nor is a call that could not run
must say: no exception
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if not tools[call.name].idempotent or outcome["ok"] or not outcome["retryable"]:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
