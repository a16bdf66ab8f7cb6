"""Adds floats.

rejected by: a cost says how many runs it is the cost of
must say: only then four decimals
"""


def report(groups):
    """A row of texts for each agent: agent, runs, cases, repetitions, passed, cost."""
    rows = []
    for agent, results in groups.items():
        cases = [result["case"] for result in results]
        row = {"agent": agent, "runs": str(len(cases)), "cases": str(len(set(cases)))}
        row |= dict.fromkeys(("repetitions", "passed", "cost"), "not measured")
        rows.append(row)
        if not results:
            continue
        times = sorted({cases.count(case) for case in cases})
        row["repetitions"] = str(times[0]) if len(times) == 1 else f"{times[0]} to {times[-1]}"
        passed = sum(result["passed"] for result in results)
        row["passed"] = f"{passed} / {len(cases)} ({100 * passed / len(cases):.1f} %)"
        costs = [float(result["cost"]) for result in results if result["cost"] is not None]
        if costs:
            row["cost"] = f"{sum(costs):.4f} USD ({len(costs)} of {len(cases)} runs)"
    return rows
