"""Has a class that judges, and a function in front of it."""


class Keeper:
    def __init__(self, count, head):
        self.count, self.head = count, head

    def faults(self, records):
        hashes = [GENESIS] + [record.get("hash") if isinstance(record, dict) else None for record in records]
        if len(records) < self.count:
            yield len(records), "records_missing"
            return
        if hashes[self.count] != self.head:
            yield max(0, self.count - 1), "head_mismatch"
        if records[self.count :]:
            yield self.count, "beyond_anchor"


def verify_anchored(records, anchor):
    found = list(verify_records(records))
    if anchor is not None:
        found.extend(fault(*one) for one in Keeper(**anchor).faults(records))
    return found


def reforge(records, index, payload, *, kind=None):
    head = [dict(record) for record in records[:index]]
    for n in range(index, len(records)):
        body = {
            "kind": kind or records[n]["kind"],
            "payload": payload if n == index else deepcopy(records[n]["payload"]),
            "prev": head[-1]["hash"] if head else GENESIS,
            "seq": records[n]["seq"],
        }
        head.append(body | {"hash": sha256(canonical_bytes(body))})
    return head
