"""Lets no turn cost more than a thousand tokens.

rejected by: a long run in all kinds of letters: every turn has its estimate, and the stop the sum
must say: texts, arguments and results are recorded and shown as they are, and a call that comes aga
"""


def run(task, model, tools, budgets):
    records, steps, tokens = [task_record(task)], 0, 0
    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        estimate = min(1000, max(1, len(reply.text) // 4))
        steps, tokens = steps + 1, tokens + estimate
        records.append(turn_record(reply, tokens=estimate))
        if not reply.tool_calls:
            return [*records, stop_record("no_tool_calls", answer=reply.text, steps=steps, tokens=tokens)]
        if budgets.max_tokens is not None and tokens > budgets.max_tokens:
            return [*records, stop_record("token_budget", steps=steps, tokens=tokens)]
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return [*records, stop_record("step_budget", steps=steps, tokens=tokens)]
