"""Sorts the keys of the outermost dict only.

rejected by: the order of keys makes no other run
must say: also deep inside
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(dict(sorted(parts.items())), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
