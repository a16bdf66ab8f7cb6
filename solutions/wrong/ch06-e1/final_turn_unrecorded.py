"""Returns the answer without the turn in which it was given.

rejected by: a reply without tool calls ends the run, and its text is the answer
must say: each is written down
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        records.append(turn_record(reply))
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps)]
