"""Builds the text with a JSONEncoder and hashes it piece by piece."""

ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fingerprint(task, script, manifest, budgets, *, algorithm="sha256"):
    name = hashlib.new(algorithm)
    parts = dict(zip(("task", "script", "manifest", "budgets"), (task, script, manifest, budgets)))
    for piece in ENCODER.iterencode(parts):
        name.update(piece.encode())
    return name.hexdigest()
