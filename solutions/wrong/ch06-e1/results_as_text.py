"""Records every result as a text.

rejected by: a long run with calls that come again is recorded and shown as it was
must say: texts, arguments and results are recorded and shown as they are, and a call that comes aga
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
            done = run_call(tools, call)
            done["payload"]["result"] = str(done["payload"]["result"])
            records.append(done)
    return [*records, stop_record("step_budget", steps=steps)]
