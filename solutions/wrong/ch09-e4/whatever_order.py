"""Compares the calls without their order.

rejected by: each kind of reason is enough by itself, and says what it found
must say: was spoilt (order)
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if sorted(str([call["tool"], call["args"]]) for call in calls) != sorted(map(str, one["ledger"])):
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found[one["case"]["id"]] = reasons
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
