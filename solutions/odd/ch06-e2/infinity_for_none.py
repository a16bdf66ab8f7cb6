"""Turns None into infinity once, and counts what is left."""


def run(task, model, tools, budgets, trace=print):
    most = float("inf") if budgets.max_tokens is None else budgets.max_tokens
    records, steps, left = [task_record(task)], 0, most
    spent = 0
    while True:
        if steps == budgets.max_steps:
            reason, answer = "step_budget", None
            break
        reply = model(messages(records), manifest(tools))
        steps += 1
        tokens = max(len(reply.text) // 4, 1)
        spent, left = spent + tokens, left - tokens
        records.append(turn_record(reply, tokens=tokens))
        if not reply.tool_calls:
            reason, answer = "no_tool_calls", reply.text
            break
        if left < 0:
            reason, answer = "token_budget", None
            break
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    records.append(stop_record(reason, answer, tokens=spent, steps=steps))
    return records
