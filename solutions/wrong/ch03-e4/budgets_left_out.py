"""Leaves the budgets out.

rejected by: each of the four parts counts, the budgets too
must say: another budgets is another run
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
