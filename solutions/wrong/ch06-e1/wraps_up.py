"""Asks the model once more when the budget is spent, for a summary.

rejected by: no more turns than max_steps, and nothing is asked to wrap up
must say: the budget is looked at before the model is asked
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    summary = model(messages(records), manifest(tools))
    records.append(turn_record(summary))
    return [*records, stop_record("step_budget", answer=summary.text, steps=steps)]
