"""One function for each kind of check, found by its name."""


def calls_of(records):
    for step in records:
        if step["type"] == "step" and was_called(step):
            call = step["decision"]["tool_call"]
            yield call["tool"], call["args"], step["observation"]["ok"], step["observation"]["content"]


def check_status(due, records):
    return records[-1]["status"] == due


def check_answer_has(due, records):
    answer = records[-1]["answer"]
    return answer is not None and all(any(Decimal(item) == number for number in numbers(answer)) for item in due)


def check_called(due, records):
    for tool, args, ok, content in calls_of(records):
        if (
            tool == due["tool"]
            and ok
            and {**args, **due.get("args", {})} == args
            and due.get("result", content) == content
        ):
            return True
    return False


def check_not_called(due, records):
    return not any(tool == due for tool, *_ in calls_of(records))


def check_order(due, records):
    left = list(due)
    for tool, _, ok, _ in calls_of(records):
        if left and ok and tool == left[0]:
            left.pop(0)
    return not left


def failures(checks, records):
    found = []
    for check in checks:
        ((name, due),) = check.items()
        if not globals()[f"check_{name}"](due, records):
            found.append(name + ": expected " + repr(due))
    return found
