"""The three questions as a list of pairs, the first that holds wins."""


def run(task, model, tools, budgets, note=None):
    records, tokens = [task_record(task)], []
    while len(tokens) < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        tokens.append(max(1, len(reply.text) // 4))
        records.append(turn_record(reply, tokens=tokens[-1]))
        over = budgets.max_tokens is not None and sum(tokens) > budgets.max_tokens
        rungs = [
            ("sentinel", budgets.stop_sentinel is not None and reply.text.find(budgets.stop_sentinel) >= 0, reply.text),
            ("no_tool_calls", len(reply.tool_calls) == 0, reply.text),
            ("token_budget", over, None),
        ]
        for reason, holds, answer in rungs:
            if holds:
                return [*records, stop_record(reason, answer, steps=len(tokens), tokens=sum(tokens))]
        records.extend(run_call(tools, call) for call in reply.tool_calls)
    return [*records, stop_record("step_budget", steps=len(tokens), tokens=sum(tokens))]
