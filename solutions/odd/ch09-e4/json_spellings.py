"""Compares calls by how JSON spells them, and collects reasons in a generator."""


def reasons_of(one):
    yield from one["failures"]
    yield from replay(one["records"]).mismatches
    spelled = []
    for record in one["records"]:
        if record["type"] == "step" and was_called(record):
            call = record["decision"]["tool_call"]
            spelled.append(json.dumps([call["tool"], call["args"]], sort_keys=True))
    arrived = [json.dumps(call, sort_keys=True) for call in one["ledger"]]
    if spelled != arrived:
        yield "the trace tells of other calls than those that arrived"


def verdict(runs, verbose=False):
    reasons = {one["case"]["id"]: [] for one in runs}
    for one in runs:
        reasons[one["case"]["id"]] += reasons_of(one)
    failed = {name: said for name, said in reasons.items() if said}
    if verbose:
        print(failed)
    return dict(exit_code=0 if runs and not failed else 1, failed=failed)
