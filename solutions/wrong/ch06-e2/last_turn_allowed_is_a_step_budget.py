"""Over the budget in the last turn allowed, it names the steps.

rejected by: the step budget holds as before
must say: the order of the rungs is part of the contract
"""


def run(task, model, tools, budgets):
    records, steps, tokens = [task_record(task)], 0, 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        estimate = max(1, len(reply.text) // 4)
        steps, tokens = steps + 1, tokens + estimate
        records.append(turn_record(reply, tokens=estimate))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps, tokens=tokens)]
        if budgets.max_tokens is not None and tokens > budgets.max_tokens:
            return [
                *records,
                stop_record(
                    "step_budget" if steps == budgets.max_steps else "token_budget", steps=steps, tokens=tokens
                ),
            ]
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps, tokens=tokens)]
