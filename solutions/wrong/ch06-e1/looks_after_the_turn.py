"""Looks at the budget when the turn is there: the first one is always taken.

rejected by: max_steps of 0 asks the model nothing
must say: no turn was allowed
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while True:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
        if steps >= budgets.max_steps:
            return [*records, stop_record("step_budget", steps=steps)]
