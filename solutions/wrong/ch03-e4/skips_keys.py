"""Leaves keys out that are no text.

rejected by: what JSON cannot hold is refused
must say: no exception
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, skipkeys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
