"""Looks at the final answer alone.

rejected by: a right answer without a call fails what a call was to show
must say: not what was asked for
"""


def failures(checks, records):
    answer = records[-1]["answer"]
    found = []
    for check in checks:
        if "answer_has" in check and (
            answer is None or not all(Decimal(n) in numbers(answer) for n in check["answer_has"])
        ):
            found.append(f"answer_has: {answer}")
        if "status" in check and records[-1]["status"] != check["status"]:
            found.append(f"status: {records[-1]['status']}")
    return found
