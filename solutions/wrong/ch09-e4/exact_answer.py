"""Wants the answer of the script, word for word.

rejected by: green on the two odd ones, which go another way
must say: keeps every check
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if [[call["tool"], call["args"]] for call in calls] != one["ledger"]:
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if one["records"][-1]["answer"] not in [None, one["case"]["script"][-1].get("answer")]:
            reasons.append("another answer")
        if reasons:
            found[one["case"]["id"]] = reasons
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
