"""Takes the blanks around the task away.

rejected by: the name is the SHA-256 of the text that the exercise describes
must say: the same name
"""

def fingerprint(task, script, manifest, budgets):
    task = task.strip()
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
