"""Puts the time of the call into the name.

rejected by: the same run has the same name
must say: whenever they are looked at
"""

import time


def fingerprint(task, script, manifest, budgets):
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    parts["at"] = time.perf_counter_ns()
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
