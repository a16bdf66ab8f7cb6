"""Sorts the budgets that it was given, in place.

rejected by: the same run has the same name
must say: keeps the order of its keys
"""

def fingerprint(task, script, manifest, budgets):
    for key in sorted(budgets):
        budgets[key] = budgets.pop(key)
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
