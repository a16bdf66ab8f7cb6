"""Hashes the address of the script.

rejected by: the same run has the same name
must say: wherever they lie in memory
"""

def fingerprint(task, script, manifest, budgets):
    text = f"{task}{id(script)}{id(manifest)}{id(budgets)}"
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
