"""Looks for calls that never arrived, and not for others that did.

rejected by: red on the agent that forges, and on the one that acts before it verifies
must say: acts_before_verifying
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if any([call["tool"], call["args"]] not in one["ledger"] for call in calls):
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found[one["case"]["id"]] = reasons
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
