"""Throws the turn away that went over the budget.

rejected by: the turn that goes over the budget is recorded, and its tools do not run
must say: it is recorded
"""


def run(task, model, tools, budgets):
    records, steps, tokens = [task_record(task)], 0, 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        estimate = max(1, len(reply.text) // 4)
        steps, tokens = steps + 1, tokens + estimate
        if not reply.tool_calls:
            records.append(turn_record(reply, tokens=estimate))
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps, tokens=tokens)]
        if budgets.max_tokens is not None and tokens > budgets.max_tokens:
            return [*records, stop_record("token_budget", steps=steps, tokens=tokens)]
        records.append(turn_record(reply, tokens=estimate))
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps, tokens=tokens)]
