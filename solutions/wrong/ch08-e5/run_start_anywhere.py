"""Finds a run_start in the middle.

rejected by: steps that are not numbered in a row, and records out of their place, are found out
must say: begins with the field
"""


def replay(records):
    """Rebuild a run from its records alone, and name each place where they disagree."""
    steps = [record for record in records if record["type"] == "step"]
    start = next((record for record in records if record["type"] == "run_start"), None)
    end = records[-1] if records and records[-1]["type"] == "run_end" else None
    answer = None
    if steps and steps[-1]["observation"] is None:
        answer = steps[-1]["decision"]["answer"]
    found = {"answer": answer, "steps_used": len(steps), "mean_score": mean_score(steps)}

    def agrees(key):
        claimed, own = end[key], found[key]
        if key == "mean_score" and None not in (claimed, own):
            return abs(claimed - own) <= 1e-9
        return claimed == own

    mismatches = []
    if start is None:
        mismatches.append("run_start: the beginning is missing")
    if [step["step"] for step in steps] != list(range(len(steps))):
        mismatches.append("step: the steps are not numbered 0, 1, 2, …")
    if end is None:
        mismatches.append("run_end: the trace is cut")
    else:
        mismatches += [f"{k}: run_end says {end[k]!r}, the steps say {found[k]!r}" for k in found if not agrees(k)]
        if (end["status"] == "completed") != (answer is not None):
            mismatches.append(f"status: run_end says {end['status']}, and the steps end in {answer!r}")
    return {
        "task": start and start["task"],
        "steps": steps,
        "status": end and end["status"],
        "error": end and end["error"],
        **found,
        "mismatches": mismatches,
    }
