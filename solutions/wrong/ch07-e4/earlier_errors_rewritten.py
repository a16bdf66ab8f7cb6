"""Rewrites the earlier errors once an attempt succeeds.

rejected by: an idempotent tool that was unavailable is tried again, after waiting
must say: each attempt has its own error, also when a later one succeeds
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"]:
            for entry in records[:-1]:
                entry["payload"]["error"] = "retried"
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
