"""Keeps no counter: adds up what the records say."""


def run(task, model, tools, budgets):
    records = [task_record(task)]

    def turns():
        return [entry["payload"]["tokens"] for entry in records if entry["kind"] == "assistant"]

    def end(reason, answer=None):
        return records + [stop_record(reason, answer, steps=len(turns()), tokens=sum(turns()))]

    while len(turns()) < budgets.max_steps:
        reply = model(messages(records), manifest(tools))
        records.append(turn_record(reply, tokens=len(reply.text) // 4 or 1))
        if not reply.tool_calls:
            return end("no_tool_calls", reply.text)
        if budgets.max_tokens is not None and sum(turns()) > budgets.max_tokens:
            return end("token_budget")
        records += [run_call(tools, call) for call in reply.tool_calls]
    return end("step_budget")
