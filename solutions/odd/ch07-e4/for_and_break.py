"""A `for` over the numbers of the attempts."""


def call_with_retries(tools, call, attempts, left, sleep, pause=1):
    made = []
    tool = tools.get(call.name)
    for number in range(1, min(attempts, left) + 1):
        if number > 1:
            sleep(pause)
            pause *= 2
        outcome = attempt(tools, call)
        made.append(tool_record(call, outcome, number))
        if outcome["ok"]:
            break
        if not (outcome["retryable"] and tool is not None and tool.idempotent):
            break
    return made
