"""Ends with the verdict on the last run.

rejected by: each kind of reason is enough by itself, and says what it found
must say: a program that asks
"""


def verdict(runs):
    """{"failed": reasons by case id, "exit_code": 0 when there are runs and none failed, otherwise 1}"""
    found, runs = {}, [*runs[1:], *runs[:1]]
    for one in runs:
        calls = [step["decision"]["tool_call"] for step in steps_of(one["records"]) if was_called(step)]
        reasons = [*one["failures"], *replay(one["records"]).mismatches]
        if [[call["tool"], call["args"]] for call in calls] != one["ledger"]:
            reasons.append(f"the trace tells of {len(calls)} calls, and {len(one['ledger'])} reached the tools")
        if reasons:
            found[one["case"]["id"]] = reasons
    return {"failed": found, "exit_code": int(not runs or runs[-1]["case"]["id"] in found)}
