"""Compares the tools that were called, and not their arguments.

rejected by: each kind of reason is enough by itself, and says what it found
must say: was spoilt (arguments)
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if [call["tool"] for call in calls] != [tool for tool, _ in one["ledger"]]:
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found[one["case"]["id"]] = reasons
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
