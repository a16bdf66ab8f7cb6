"""Says nothing of a single record behind the anchored one.

rejected by: what the chain shows comes before what the anchor shows
must say: beyond_anchor
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
    if len(records) < count:
        return [*faults, fault(len(records), "records_missing", f"{len(records)} of {count}")]
    last = records[count - 1] if count else {"hash": GENESIS}
    if not isinstance(last, dict) or last.get("hash") != anchor["head"]:
        faults.append(fault(max(count - 1, 0), "head_mismatch", "another record than the anchored one"))
    if len(records) > count + 1:
        faults.append(fault(count, "beyond_anchor", f"{len(records)} records, and the anchor counts {count}"))
    return faults
