"""Takes blocked calls for calls that reached a tool.

rejected by: green on an agent that does what its trace says
must say: nothing is wrong
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found = {}
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if step["decision"]["tool_call"]]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if [[call["tool"], call["args"]] for call in calls] != one["ledger"]:
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found[one["case"]["id"]] = reasons
    return {"failed": found, "exit_code": int(bool(found) or not runs)}
