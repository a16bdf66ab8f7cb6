"""Keeps no count: looks at the records from the end."""


def failures_in_a_row(records):
    count = 0
    for entry in reversed(records):
        if entry["kind"] == "tool":
            if entry["payload"]["ok"]:
                break
            count += 1
    return count


def run(task, model, tools, stop_after, max_steps=8, *, patience=0):
    records = [record("task", task=task)]
    for step in range(1, max_steps + 1):
        reply = model(messages(records), manifest(tools))
        records.append(turn_record(reply))
        if not reply.tool_calls:
            return records + [stop_record("no_tool_calls", reply.text, steps=step)]
        for call in reply.tool_calls:
            records.append(tool_record(call, attempt(tools, call)))
            if stop_after is not None and failures_in_a_row(records) >= stop_after:
                return records + [stop_record("too_many_failures", None, records[-1]["payload"]["error"], steps=step)]
    return records + [stop_record("step_budget", steps=max_steps)]
