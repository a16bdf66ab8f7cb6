"""A `for` over the turns, whose `else` is the budget stop."""


def run(task, model, tools, budgets, *, verbose=False):
    records = [task_record(task)]
    for step in range(1, budgets.max_steps + 1):
        reply = model(messages=messages(records), manifest=manifest(tools))
        records.append(turn_record(reply))
        if len(reply.tool_calls) == 0:
            records.append(stop_record("no_tool_calls", reply.text, "the model asked for nothing", steps=step))
            break
        records.extend(run_call(tools, call) for call in reply.tool_calls)
    else:
        records.append(stop_record("step_budget", detail="no turns left", steps=budgets.max_steps))
    if verbose:
        print(records)
    return records
