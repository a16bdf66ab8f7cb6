"""Leaves out the keys of which nothing is known.

rejected by: nothing is left out, and nothing mended: what is not in the bytes could be changed unseen
must say: empty is a value too
"""


def mended(item):
    if isinstance(item, dict):
        return {key: mended(member) for key, member in item.items() if member is not None}
    if isinstance(item, (list, tuple)):
        return [mended(member) for member in item]
    return item


def canonical_bytes(value):
    """The one UTF-8 spelling of a JSON value; ValueError for what JSON cannot hold."""
    problem = why_not_json(value)
    if problem:
        raise ValueError(problem)
    return json.dumps(mended(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


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
