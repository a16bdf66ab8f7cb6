"""Sorts keys by UTF-16 unit, as RFC 8785 does.

rejected by: nothing is left out, and nothing mended: what is not in the bytes could be changed unseen
must say: they are sorted as Python sorts
"""


def mended(item):
    if isinstance(item, dict):
        return {key: mended(item[key]) for key in sorted(item, key=lambda key: key.encode("utf-16-be"))}
    if isinstance(item, (list, tuple)):
        return [mended(member) for member in item]
    return item


def canonical_bytes(value):
    """The one UTF-8 spelling of a JSON value; ValueError for what JSON cannot hold."""
    problem = why_not_json(value)
    if problem:
        raise ValueError(problem)
    return json.dumps(mended(value), separators=(",", ":"), ensure_ascii=False).encode("utf-8")


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
