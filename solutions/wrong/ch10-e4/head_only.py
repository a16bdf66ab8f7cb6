"""Compares the last hash and not the count.

rejected by: records that are missing from the end are caught with the anchor
must say: records_missing
"""


def reforge(records, index, payload):
    """The chain with another payload at `index`, and every later record made to fit."""
    forged = deepcopy(records)
    forged[index]["payload"] = payload
    for n in range(index, len(forged)):
        body = {key: forged[n][key] for key in FIELDS - {"hash"}}
        body["prev"] = forged[n - 1]["hash"] if n else GENESIS
        forged[n] = {"hash": sha256(canonical_bytes(body)), **body}
    return forged


def verify_anchored(records, anchor):
    """The faults of a chain, and those that only an anchor can show."""
    faults = verify_records(records)
    if anchor is None:
        return faults
    if anchor_of(records)["head"] != anchor["head"]:
        faults.append(fault(len(records) - 1, "head_mismatch"))
    return faults
