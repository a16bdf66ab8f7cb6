"""Makes a sorted list of a set.

rejected by: what JSON cannot hold is refused
must say: no exception
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=sorted)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
