"""Gives up after four failures at the latest.

rejected by: each kind of failure counts one, and the last one is told
must say: it ends with the last of them
"""


def run(task, model, tools, stop_after, max_steps=8):
    records, steps, in_a_row = [record("task", task=task)], 0, 0
    while steps < max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            outcome = attempt(tools, call)
            records.append(tool_record(call, outcome))
            in_a_row = 0 if outcome["ok"] else in_a_row + 1
            if stop_after is not None and in_a_row >= min(4, stop_after):
                why = f"{in_a_row} failed calls in a row, the last one: {outcome['error']}"
                return [*records, stop_record("too_many_failures", detail=why, steps=steps)]
    return [*records, stop_record("step_budget", steps=steps)]
