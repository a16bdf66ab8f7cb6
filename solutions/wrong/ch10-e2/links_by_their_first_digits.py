"""Compares the first digits of a link.

rejected by: every record of a long run is judged, whatever its kind, and a hash counts to its last digit
must say: what is nearly the hash of the record before is not that hash
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
                if before is not None and str(record["prev"])[:16] != str(before)[:16]:
                    found.append("prev_mismatch")
        faults += [fault(index, kind) for kind in found]
        before = record.get("hash") if isinstance(record, dict) else None
    return faults
