"""Counts on from the first seq, whatever that is.

rejected by: a record removed, doubled or moved is a seq_gap where the order breaks
must say: first of all a fault of the kind 'seq_gap'
"""


def verify_records(records):
    """The faults of a chain, first affected record first; an empty list when it holds."""
    faults, before, due = [], GENESIS, None
    for index, record in enumerate(records):
        found = []
        if not isinstance(record, dict):
            found.append("not_an_object")
        elif set(record) != FIELDS or not isinstance(record["kind"], str):
            found.append("missing_fields")
        else:
            try:
                body = canonical_bytes({key: record[key] for key in FIELDS - {"hash"}})
            except ValueError:
                found.append("unserialisable_payload")
            else:
                if record["hash"] != sha256(body):
                    found.append("hash_mismatch")
                if type(record["seq"]) is not int or record["seq"] != (record["seq"] if due is None else due):
                    found.append("seq_gap")
                if before is not None and record["prev"] != before:
                    found.append("prev_mismatch")
        faults += [fault(index, kind) for kind in found]
        due = record["seq"] + 1 if isinstance(record, dict) and type(record.get("seq")) is int else None
        before = record.get("hash") if isinstance(record, dict) else None
    return faults
