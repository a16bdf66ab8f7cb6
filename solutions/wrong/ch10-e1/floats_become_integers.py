"""Writes 1.0 as 1, as JavaScript does.

rejected by: 1, 1.0, true and "1" stay apart
must say: may be spelled in one way only
"""


def canonical_bytes(value):
    """The one UTF-8 spelling of a JSON value; ValueError for what JSON cannot hold."""
    problem = why_not_json(value)
    if problem:
        raise ValueError(problem)
    def plain(item):
        if isinstance(item, float) and item.is_integer():
            return int(item)
        if isinstance(item, dict):
            return {key: plain(member) for key, member in item.items()}
        return [plain(member) for member in item] if isinstance(item, list) else item

    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


class Transcript:
    """Records, each bound to the one before by its hash."""

    def __init__(self):
        self.records = []

    def append(self, kind, payload):
        """Add a record and return it."""
        prev = self.records[-1]["hash"] if self.records else GENESIS
        body = canonical_bytes({"kind": kind, "payload": payload, "prev": prev, "seq": len(self.records)})
        record = {"hash": sha256(body), **json.loads(body)}
        self.records.append(record)
        return record

    def to_bytes(self):
        """The file."""
        return b"".join(canonical_bytes(record) + b"\n" for record in self.records)
