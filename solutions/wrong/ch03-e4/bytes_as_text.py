"""Makes text of bytes and of decimal numbers.

rejected by: what JSON cannot hold is refused
must say: no exception
"""

def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=plain)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
