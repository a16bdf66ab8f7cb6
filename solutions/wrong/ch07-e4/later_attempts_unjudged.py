"""Makes the later attempts without `attempt`.

rejected by: each outcome decides for itself whether there is another attempt
must say: a record is of its own attempt
"""


def call_with_retries(tools, call, attempts, left, sleep):
    records = []
    while True:
        if records:
            try:
                outcome = done(tools[call.name].fn(**deepcopy(call.args)))
            except Exception as error:
                outcome = failed(str(error), retryable=isinstance(error, UnavailableError))
        else:
            outcome = attempt(tools, call)
        records.append(tool_record(call, outcome, attempt=len(records) + 1))
        if outcome["ok"] or not outcome["retryable"] or not tools[call.name].idempotent:
            return records
        if len(records) >= min(attempts, left):
            return records
        sleep(2 ** (len(records) - 1))
