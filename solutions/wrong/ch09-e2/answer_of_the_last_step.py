"""Reads the answer of the last step.

rejected by: each check holds or fails by itself, of a long run that comes close to it
must say: reads what happened
"""


def failures(checks, records):
    """A text for each check that does not hold of the run; an empty list when all hold."""
    end, ran = records[-1], [step for step in steps_of(records) if was_called(step)]
    succeeded = [step for step in ran if step["observation"]["ok"]]

    end = {**end, "answer": steps_of(records)[-1]["decision"]["answer"] if steps_of(records) else None}

    def tool_of(step):
        return step["decision"]["tool_call"]["tool"]

    def fits(step, due):
        args = step["decision"]["tool_call"]["args"]
        return (
            tool_of(step) == due["tool"]
            and all(key in args and args[key] == value for key, value in due.get("args", {}).items())
            and ("result" not in due or step["observation"]["content"] == due["result"])
        )

    def in_order(due):
        names = iter([tool_of(step) for step in succeeded])
        return all(tool in names for tool in due)

    holds = {
        "status": lambda due: end["status"] == due,
        "answer_has": lambda due: (
            end["answer"] is not None and {Decimal(n) for n in due} <= set(numbers(end["answer"]))
        ),
        "called": lambda due: any(fits(step, due) for step in succeeded),
        "not_called": lambda due: due not in [tool_of(step) for step in ran],
        "order": in_order,
    }
    return [f"{name}: {due} does not hold" for check in checks for name, due in check.items() if not holds[name](due)]
