"""A generator of findings, and faults that are plain dicts with another key more."""


def findings(record, index, before):
    if not isinstance(record, dict):
        yield "not_an_object"
        return
    if sorted(map(str, record)) != sorted(FIELDS) or type(record["kind"]) is not str:
        yield "missing_fields"
        return
    rest = dict(record)
    mine = rest.pop("hash")
    try:
        due = sha256(canonical_bytes(rest))
    except ValueError:
        yield "unserialisable_payload"
        return
    if mine != due:
        yield "hash_mismatch"
    if repr(record["seq"]) != repr(index):
        yield "seq_gap"
    if record["prev"] != before:
        yield "prev_mismatch"


def verify_records(records, start=GENESIS):
    found, before = [], start
    for index, record in enumerate(records):
        for kind in findings(record, index, before):
            found.append({"index": index, "kind": kind, "detail": f"record {index}", "line": index + 1})
        try:
            before = record["hash"]
        except Exception:
            before = None
    return found
