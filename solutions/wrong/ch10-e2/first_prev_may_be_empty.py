"""Takes no prev at all for a beginning.

rejected by: the first record's prev is GENESIS
must say: else a chain could begin anywhere
"""


def verify_records(records):
    """The faults of a chain, first affected record first; an empty list when it holds."""
    faults, before = [], GENESIS
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
                if type(record["seq"]) is not int or record["seq"] != index:
                    found.append("seq_gap")
                if before is not None and (index or record["prev"]) and record["prev"] != before:
                    found.append("prev_mismatch")
        faults += [fault(index, kind) for kind in found]
        before = record.get("hash") if isinstance(record, dict) else None
    return faults
