"""Leaves the blanks that `json.dumps` puts in.

rejected by: the name is the SHA-256 of the text that the exercise describes
must say: must get the same name
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
