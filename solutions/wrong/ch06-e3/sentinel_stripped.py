"""Looks for the sentinel without the spaces around it.

rejected by: what is only like the sentinel ends nothing, and the sentinel may hold any characters
must say: written exactly so
"""


def run(task, model, tools, budgets):
    records, steps, tokens = [task_record(task)], 0, 0

    def end(reason, answer=None):
        return [*records, stop_record(reason, answer, steps=steps, tokens=tokens)]

    while steps < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        estimate = max(1, len(reply.text) // 4)
        steps, tokens = steps + 1, tokens + estimate
        records.append(turn_record(reply, tokens=estimate))
        if budgets.stop_sentinel is not None and budgets.stop_sentinel.strip() in reply.text:
            return end("sentinel", answer=reply.text)
        if not reply.tool_calls:
            return end("no_tool_calls", answer=reply.text)
        if budgets.max_tokens is not None and tokens > budgets.max_tokens:
            return end("token_budget")
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return end("step_budget")
