"""Catches whatever goes wrong and calls it not_an_object.

rejected by: a field too few, a field too many, or a kind that is no text, is missing_fields
must say: missing_fields
"""


def verify_records(records):
    faults, before = [], GENESIS
    for index, record in enumerate(records):
        try:
            body = {key: value for key, value in record.items() if key != "hash"}
            if sha256(canonical_bytes(body)) != record["hash"]:
                faults.append(fault(index, "hash_mismatch"))
            if type(record["seq"]) is not int or record["seq"] != index:
                faults.append(fault(index, "seq_gap"))
            if record["prev"] != before:
                faults.append(fault(index, "prev_mismatch"))
            before = record["hash"]
        except Exception:
            faults.append(fault(index, "not_an_object"))
    return faults
