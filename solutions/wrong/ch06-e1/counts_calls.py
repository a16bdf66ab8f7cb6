"""Counts the calls in place of the turns.

rejected by: a turn is one step, however many tools it asks for
must say: a step is a turn of the model
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps + 1)]
        for call in reply.tool_calls:
            steps += 1
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps)]
