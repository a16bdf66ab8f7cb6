"""One call of a function a turn, in place of a loop."""


def run(task, model, tools, budgets):
    def go_on(records, left):
        used = budgets.max_steps - left
        if left == 0:
            return records + [stop_record("step_budget", steps=used)]
        reply = model(messages(records), manifest(tools))
        records = records + [turn_record(reply)]
        if reply.tool_calls:
            return go_on(records + [run_call(tools, call) for call in reply.tool_calls], left - 1)
        return records + [stop_record("no_tool_calls", reply.text, steps=used + 1)]

    return go_on([task_record(task)], budgets.max_steps)
