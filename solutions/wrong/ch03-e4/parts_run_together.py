"""Hashes the four texts one behind the other, without saying which is which.

rejected by: the name is the SHA-256 of the text that the exercise describes
must say: must get the same name
"""

def fingerprint(task, script, manifest, budgets):
    text = "".join(
        json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        for part in (task, script, manifest, budgets)
    )
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
