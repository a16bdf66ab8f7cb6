"""Leaves the manifest out.

rejected by: each of the four parts counts, the budgets too
must say: another manifest is another run
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
