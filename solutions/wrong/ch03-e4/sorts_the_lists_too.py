"""Sorts lists as well as keys.

rejected by: order and nothing count where they are data
must say: another script
"""

def plain(value):
    if isinstance(value, list):
        return sorted((plain(item) for item in value), key=json.dumps)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in sorted(value.items())}
    return value


def fingerprint(task, script, manifest, budgets):
    parts = plain({"task": task, "script": script, "manifest": manifest, "budgets": budgets})
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
