"""Writes JSON by hand, and is a list itself."""


def canonical_bytes(value):
    if why_not_json(value):
        raise ValueError(why_not_json(value))

    def spell(item):
        if isinstance(item, dict):
            return "{" + ",".join(f"{spell(key)}:{spell(item[key])}" for key in sorted(item)) + "}"
        if isinstance(item, (list, tuple)):
            return "[" + ",".join(map(spell, item)) + "]"
        return json.dumps(item, ensure_ascii=False)

    return bytes(spell(value), "utf-8")


class Transcript(list):
    @property
    def records(self):
        return list(self)

    def append(self, kind, payload):
        copy = json.loads(canonical_bytes(payload))
        fields = dict(kind=kind, payload=copy, prev=self[-1]["hash"] if self else GENESIS, seq=len(self))
        super().append(dict(fields, hash=sha256(canonical_bytes(fields))))
        return self[-1]

    def to_bytes(self):
        file = bytearray()
        for record in self:
            file += canonical_bytes(record) + bytes([10])
        return bytes(file)
