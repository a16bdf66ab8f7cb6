"""Makes every number a float before it is written.

rejected by: 1, 1.0 and true are three different things
must say: equal in Python
"""

def plain(value):
    if isinstance(value, (bool, int)):
        return float(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def fingerprint(task, script, manifest, budgets):
    parts = plain({"task": task, "script": script, "manifest": manifest, "budgets": budgets})
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
