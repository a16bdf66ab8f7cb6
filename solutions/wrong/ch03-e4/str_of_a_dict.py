"""Hashes `str(dict)`, which shows keys in the order in which they were written.

rejected by: the order of keys makes no other run
must say: the same dict
"""

def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = str(parts)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
