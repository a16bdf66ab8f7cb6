"""Shows the model the task and the latest six records.

rejected by: a long run with calls that come again is recorded and shown as it was
must say: the model is shown all that happened so far
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records[:1] + records[1:][-6:]), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps)]
