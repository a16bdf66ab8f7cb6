"""Makes one spelling of the two that a letter may have.

rejected by: the name is the SHA-256 of the text that the exercise describes
must say: the same name
"""

import unicodedata


def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = unicodedata.normalize("NFC", json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
