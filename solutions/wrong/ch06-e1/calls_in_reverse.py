"""Works off the calls of a turn from the end.

rejected by: the calls of a turn run in their order, and the model sees what they returned
must say: in the order of the turn
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reversed(reply.tool_calls):
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps)]
