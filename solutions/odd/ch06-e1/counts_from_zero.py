"""`itertools.count`, keywords for the model, and a tuple that is compared."""

from itertools import count


def run(task, model, tools, budgets):
    records = [task_record(task)]
    for taken in count():
        if taken >= budgets.max_steps:
            break
        reply = model(messages=messages(records), manifest=manifest(tools))
        records.append(turn_record(reply))
        if reply.tool_calls == ():
            return records + [stop_record("no_tool_calls", reply.text, steps=taken + 1)]
        records.extend([run_call(tools, call) for call in reply.tool_calls])
    return records + [stop_record("step_budget", steps=taken)]
