"""Records an interrupt as a failed attempt.

rejected by: each outcome decides for itself whether there is another attempt
must say: it means the program, also in a second attempt
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        try:
            outcome = attempt(tools, call)
        except BaseException as error:
            outcome = failed(str(error))
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
