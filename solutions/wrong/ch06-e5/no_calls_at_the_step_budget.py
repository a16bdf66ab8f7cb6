"""Forgets the calls in the stop at the step budget.

rejected by: the other stops are as before, with an account of everything
must say: every stop says what was used up, whatever it was that ended the run
"""


def run(task, model, tools, budgets, killed=None):
    records, steps, tokens, calls, cost = [task_record(task)], 0, 0, 0, 0

    def end(reason, answer=None, detail=""):
        used = {"steps": steps, "tokens": tokens, "calls": calls, "cost": cost}
        return [*records, stop_record(reason, answer, detail, **used)]

    def closed():
        if killed is not None and killed():
            return "killed"
        if budgets.max_cost is not None and cost >= budgets.max_cost:
            return "cost_budget"

    while True:
        if reason := closed():
            return end(reason)
        if steps >= budgets.max_steps:
            calls = 0
            return end("step_budget")
        cost += budgets.turn_price
        try:
            reply = model(messages(records), manifest(tools))
        except Exception as error:
            return end("model_error", detail=f"{type(error).__name__}: {error}")
        if not isinstance(reply, ModelReply):
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
            if reason := closed():
                return end(reason)
            calls, cost = calls + 1, cost + budgets.call_price
            records.append(run_call(tools, call))
