"""Leaves out whatever is None or empty.

rejected by: order and nothing count where they are data
must say: three different things
"""

def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item or item == 0}
    return value


def fingerprint(task, script, manifest, budgets):
    parts = plain({"task": task, "script": script, "manifest": manifest, "budgets": budgets})
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
