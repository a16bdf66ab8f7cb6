"""Asks for the canonical bytes of whatever a line holds.

rejected by: it never raises, whatever a line holds
must say: no exception
"""


def verify_file(path):
    """The report on a transcript file, judged byte by byte."""
    try:
        with open(path, "rb") as file:
            lines = file.readlines()
    except OSError as error:
        return report(0, GENESIS, [fault(0, "unreadable", str(error.strerror))])
    values, bad, faults = [], set(), []
    for index, line in enumerate(lines):
        try:
            values.append(json.loads(line.decode("utf-8")))
        except (ValueError, RecursionError):  # the second: nested too deeply
            values.append(None)
            bad.add(index)
            faults.append(fault(index, "bad_json", f"line {index + 1} is no JSON in UTF-8, or was cut"))
    faults += [one for one in verify_records(values) if one["index"] not in bad]
    for index, (line, value) in enumerate(zip(lines, values)):
        if index not in bad and canonical_bytes(value) + b"\n" != line:
            faults.append(fault(index, "not_canonical", f"line {index + 1} is spelled otherwise"))
    faults.sort(key=lambda one: one["index"])  # a stable sort: within a line the order stays
    read = [value for index, value in enumerate(values) if index not in bad]
    head = read[-1]["hash"] if read and isinstance(read[-1], dict) and "hash" in read[-1] else GENESIS
    return report(len(lines) - len(bad), head, faults)
