"""Leaves a part out that is empty.

rejected by: the name is the SHA-256 of the text that the exercise describes
must say: the same name
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(
        {key: part for key, part in parts.items() if part},
        sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False,
    )
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
