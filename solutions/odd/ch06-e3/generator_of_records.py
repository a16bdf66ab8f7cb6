"""A generator yields the records one by one, and `run` collects them."""


def happenings(task, model, tools, budgets):
    so_far, steps, tokens = [], 0, 0

    def note(entry):
        so_far.append(entry)
        return entry

    yield note(task_record(task))
    while True:
        if steps == budgets.max_steps:
            yield stop_record("step_budget", steps=steps, tokens=tokens)
            return
        reply = model(messages(so_far), manifest(tools))
        cost = max(1, len(reply.text) // 4)
        steps += 1
        tokens += cost
        yield note(turn_record(reply, tokens=cost))
        match (budgets.stop_sentinel is not None and budgets.stop_sentinel in reply.text, list(reply.tool_calls)):
            case (True, _):
                yield stop_record("sentinel", reply.text, steps=steps, tokens=tokens)
                return
            case (_, []):
                yield stop_record("no_tool_calls", reply.text, steps=steps, tokens=tokens)
                return
        if budgets.max_tokens is not None and tokens > budgets.max_tokens:
            yield stop_record("token_budget", steps=steps, tokens=tokens)
            return
        for call in reply.tool_calls:
            yield note(run_call(tools, call))


def run(task, model, tools, budgets):
    return list(happenings(task, model, tools, budgets))
