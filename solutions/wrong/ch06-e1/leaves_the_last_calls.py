"""Does not run the calls of the last turn allowed.

rejected by: no more turns than max_steps, and nothing is asked to wrap up
must say: the calls of the last turn allowed still run
"""


def run(task, model, tools, budgets):
    records, steps = [task_record(task)], 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        steps += 1
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps)]
        for call in reply.tool_calls if steps < budgets.max_steps else []:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps)]
