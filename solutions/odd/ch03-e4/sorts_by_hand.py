"""Writes the four sorted keys itself, and JSON for each value."""

def text_of(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fingerprint(task, script, manifest, budgets):
    budgets, manifest, script, task = map(text_of, (budgets, manifest, script, task))
    text = '{"budgets":%s,"manifest":%s,"script":%s,"task":%s}' % (budgets, manifest, script, task)
    return hashlib.sha256(bytes(text, "utf-8")).digest().hex()
