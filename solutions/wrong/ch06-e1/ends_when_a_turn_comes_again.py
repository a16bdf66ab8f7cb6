"""Takes a turn that comes again for the end of the budget.

rejected by: a long run with calls that come again is recorded and shown as it was
must say: so many turns were allowed, and the last of them was the answer
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        if turn_record(reply) in records:
            return [*records, stop_record("step_budget", steps=steps)]
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps)]
