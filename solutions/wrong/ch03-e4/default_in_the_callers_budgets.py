"""Writes a default into the budgets that it was given.

rejected by: the same run has the same name
must say: belongs to the caller
"""

def fingerprint(task, script, manifest, budgets):
    budgets.setdefault("max_cost", 0)
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
