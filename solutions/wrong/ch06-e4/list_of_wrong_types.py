"""Lists the types that are no ModelReply.

rejected by: what is no ModelReply is a model error, whatever it looks like
must say: no exception
"""


def run(task, model, tools, budgets):
    records, steps, tokens = [task_record(task)], 0, 0

    def end(reason, answer=None, detail=""):
        return [*records, stop_record(reason, answer, detail, steps=steps, tokens=tokens)]

    while steps < budgets.max_steps:
        try:
            reply = model(messages(records), manifest(tools))
        except Exception as error:
            return end("model_error", detail=f"{type(error).__name__}: {error}")
        if reply is None or isinstance(reply, (dict, str, list, tuple, int)):
            return end("model_error", detail=f"expected a ModelReply, got {type(reply).__name__}")
        estimate = max(1, len(reply.text) // 4)
        steps, tokens = steps + 1, tokens + estimate
        records.append(turn_record(reply, tokens=estimate))
        if budgets.stop_sentinel is not None and budgets.stop_sentinel in reply.text:
            return end("sentinel", answer=reply.text)
        if not reply.tool_calls:
            return end("no_tool_calls", answer=reply.text)
        if budgets.max_tokens is not None and tokens > budgets.max_tokens:
            return end("token_budget")
        for call in reply.tool_calls:
            records.append(run_call(tools, call))
    return end("step_budget")
