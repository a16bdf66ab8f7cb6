"""Goes no further than a record in which a field is missing.

rejected by: faults come in the order of the records, and a second one is not lost behind the first
must say: every further edit must be named
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
                if before is not None and record["prev"] != before:
                    found.append("prev_mismatch")
        faults += [fault(index, kind) for kind in found]
        if "missing_fields" in found:
            break
        before = record.get("hash") if isinstance(record, dict) else None
    return faults
