"""Compares the first call, the last, and their number.

rejected by: whatever was spoilt is found, all of it, and nothing else is
must say: two in the middle swapped
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        told = [[call["tool"], call["args"]] for call in calls]
        if (told[:1], told[-1:], len(told)) != (one["ledger"][:1], one["ledger"][-1:], len(one["ledger"])):
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found.setdefault(one["case"]["id"], []).extend(reasons)
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
