"""Asks how many fields there are, and not which.

rejected by: a field too few, a field too many, or a kind that is no text, is missing_fields
must say: KeyError
"""


def verify_records(records):
    """The faults of a chain, first affected record first; an empty list when it holds."""
    faults, before = [], GENESIS
    for index, record in enumerate(records):
        found = []
        if not isinstance(record, dict):
            found.append("not_an_object")
        elif len(record) != 5 or not isinstance(record.get("kind"), str):
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
        before = record.get("hash") if isinstance(record, dict) else None
    return faults
