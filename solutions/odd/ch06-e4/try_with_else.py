"""The rest of the turn in the `else` of the `try`; the type by a raised TypeError."""


def ask(model, records, tools):
    reply = model(messages(records), manifest(tools))
    if isinstance(reply, ModelReply):
        return reply, ""
    return None, "expected a ModelReply, got " + type(reply).__name__


def run(task, model, tools, budgets, **ignored):
    records = [task_record(task)]
    used = {"steps": 0, "tokens": 0}
    while used["steps"] < budgets.max_steps:
        try:
            reply, problem = ask(model, records, tools)
        except Exception as error:
            reply, problem = None, "%s: %s" % (error.__class__.__name__, error)
        if reply is None:
            records.append(stop_record("model_error", detail=problem, **used))
            return records
        tokens = max(1, len(reply.text) // 4)
        used = {"steps": used["steps"] + 1, "tokens": used["tokens"] + tokens}
        records.append(turn_record(reply, tokens=tokens))
        reason = None
        if budgets.stop_sentinel is not None and budgets.stop_sentinel in reply.text:
            reason = "sentinel"
        elif not reply.tool_calls:
            reason = "no_tool_calls"
        elif budgets.max_tokens is not None and used["tokens"] > budgets.max_tokens:
            reason = "token_budget"
        if reason:
            records.append(stop_record(reason, None if reason == "token_budget" else reply.text, **used))
            return records
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    records.append(stop_record("step_budget", **used))
    return records
