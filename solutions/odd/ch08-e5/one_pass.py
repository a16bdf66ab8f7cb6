"""Goes through the records once, by their types."""


def replay(records):
    found = dict.fromkeys(("task", "status", "error", "answer"))
    found.update(steps=[], mismatches=[])
    end = None
    for place, record in enumerate(records):
        match record["type"]:
            case "run_start" if place == 0:
                found["task"] = record["task"]
            case "step":
                found["steps"].append(record)
            case "run_end" if place == len(records) - 1:
                end = record
    if not records or records[0]["type"] != "run_start":
        found["mismatches"].append("run_start: there is none")
    for number, step in enumerate(found["steps"]):
        if step["step"] != number:
            found["mismatches"].append(f"step: {step['step']} where {number} is due")
            break
    found["steps_used"] = len(found["steps"])
    found["mean_score"] = mean_score(found["steps"])
    if found["steps"] and found["steps"][-1]["observation"] is None:
        found["answer"] = found["steps"][-1]["decision"]["answer"]
    if end is None:
        return {**found, "mismatches": [*found["mismatches"], "run_end: the trace is cut"]}
    found["status"], found["error"] = end["status"], end["error"]
    for key in ("answer", "steps_used"):
        if end[key] != found[key]:
            found["mismatches"].append(f"{key}: {end[key]!r} is claimed, {found[key]!r} is so")
    claimed, own = end["mean_score"], found["mean_score"]
    if claimed != own and (claimed is None or own is None or abs(claimed - own) > 1e-9):
        found["mismatches"].append(f"mean_score: {claimed} is claimed, {own} is so")
    if (found["answer"] is None) == (end["status"] == "completed"):
        found["mismatches"].append(f"status: {end['status']} cannot be")
    return found
