"""Asks the chain nothing when the anchor fits.

rejected by: an anchor that fits excuses no fault of the chain
must say: an anchor replaces no verifier
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
    count = anchor["count"]
    if records and len(records) == count and isinstance(records[-1], dict) and records[-1].get("hash") == anchor["head"]:
        return []
    if len(records) < count:
        return [*faults, fault(len(records), "records_missing", f"{len(records)} of {count}")]
    last = records[count - 1] if count else {"hash": GENESIS}
    if not isinstance(last, dict) or last.get("hash") != anchor["head"]:
        faults.append(fault(max(count - 1, 0), "head_mismatch", "another record than the anchored one"))
    if len(records) > count:
        faults.append(fault(count, "beyond_anchor", f"{len(records)} records, and the anchor counts {count}"))
    return faults
