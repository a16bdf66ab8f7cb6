"""Lets the parser refuse NaN, and reads line by line."""


def verify_file(path):
    def no_constant(name):
        raise ValueError(name)

    values, own, good, last = [], {}, 0, {}
    try:
        file = open(path, "rb")
    except OSError as error:
        return report(0, GENESIS, [fault(0, "unreadable", type(error).__name__)])
    with file:
        for index, line in enumerate(file):
            try:
                value = last = json.loads(line.decode(), parse_constant=no_constant)
                good += 1
            except (ValueError, RecursionError):
                value = own[index] = fault(index, "bad_json", f"line {index + 1}: no JSON")
            else:
                if not why_not_json(value) and canonical_bytes(value) != line[:-1] or not line.endswith(b"\n"):
                    own[index] = fault(index, "not_canonical")
            values.append(value)
    faults = []
    records = verify_records(values)
    for index in range(len(values)):
        if own.get(index, {}).get("kind") != "bad_json":
            faults += [one for one in records if one["index"] == index]
        faults += [own[index]] if index in own else []
    return report(good, last.get("hash", GENESIS) if isinstance(last, dict) else GENESIS, faults)
