"""Adds the record, and then finds out that it has no hash.

rejected by: a payload that cannot be recorded raises ValueError, and nothing is added
must say: half a record would break the chain
"""


def canonical_bytes(value):
    """The one UTF-8 spelling of a JSON value; ValueError for what JSON cannot hold."""
    problem = why_not_json(value)
    if problem:
        raise ValueError(problem)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


class Transcript:
    """Records, each bound to the one before by its hash."""

    def __init__(self):
        self.records = []

    def append(self, kind, payload):
        """Add a record and return it."""
        prev = self.records[-1]["hash"] if self.records else GENESIS
        record = {"hash": GENESIS, "kind": kind, "payload": payload, "prev": prev, "seq": len(self.records)}
        self.records.append(record)
        body = canonical_bytes({key: record[key] for key in record if key != "hash"})
        record.update(json.loads(body), hash=sha256(body))
        return record

    def to_bytes(self):
        """The file."""
        return b"".join(canonical_bytes(record) + b"\n" for record in self.records)
