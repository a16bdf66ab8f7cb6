"""Splits the bytes at newlines, and verifies a list in which bad lines are marked."""


BAD = object()


def read_line(line):
    try:
        return json.loads(str(line, "utf-8"))
    except Exception:
        return BAD


def verify_file(path, encoding="utf-8"):
    try:
        data = Path(path).read_bytes()
    except OSError:
        return report(0, GENESIS, [fault(0, "unreadable")])
    *lines, rest = data.split(b"\n")
    lines = [line + b"\n" for line in lines] + [rest] * (rest != b"")
    values = [read_line(line) for line in lines]
    by_index = {}
    for one in verify_records(values):
        by_index.setdefault(one["index"], []).append(one)
    faults = []
    for n, (line, value) in enumerate(zip(lines, values)):
        if value is BAD:
            faults.append(fault(n, "bad_json", f"see line {n + 1}"))
            continue
        faults.extend(by_index.get(n, []))
        try:
            again = canonical_bytes(value)
        except ValueError:
            continue
        if line != again + b"\n":
            faults.append(fault(n, "not_canonical"))
    good = [value for value in values if value is not BAD]
    hashes = [value["hash"] for value in good if isinstance(value, dict) and "hash" in value]
    return {"faults": faults, "count": len(good), "head": hashes[-1] if hashes else GENESIS}
