"""Reads where the fault is due from the bytes of the tampered file, and has a class for a gate."""


def where_it_breaks(records):
    """The first record that does not fit, by its bytes; None when all fit."""
    prev = GENESIS
    for place, record in enumerate(records):
        fields = dict(record)
        own = fields.pop("hash")
        if own != sha256(canonical_bytes(fields)) or record["seq"] != place or record["prev"] != prev:
            return place
        prev = own
    return None


def copies(records):
    yield "nothing done", records
    for k, record in enumerate(records):
        rest = records[k + 1 :]
        lie = {**record, "payload": ["a lie", k]}
        yield f"edited {k}", [*records[:k], lie, *rest]
        if rest:
            new_hash = sha256(canonical_bytes({key: lie[key] for key in lie if key != "hash"}))
            yield f"edited {k}, new hash", [*records[:k], {**lie, "hash": new_hash}, *rest]
            yield f"removed {k}", [*records[:k], *rest]
            yield f"swapped {k}", [*records[:k], rest[0], record, *rest[1:]]


def tampering(records, verify):
    said = []
    for what, copy in copies(records):
        due = where_it_breaks(copy)
        try:
            places = [one["index"] for one in verify(deepcopy(copy))]
        except Exception as error:
            said.append(f"{what}: {error!r}")
        else:
            if places[:1] != [due] * (due is not None):
                said.append(f"{what}: " + ("wrong place" if places else "a mutated transcript verified"))
    return said


class Gate:
    def __call__(self, legs, say=print):
        found, open_questions = [], not legs
        for name in legs:
            try:
                found += [f"{name}: {sentence}" for sentence in legs[name]()]
                say(f"ran {name}")
            except Exception:
                say(f"could not run {name}")
                open_questions = True
        say("\n".join(found))
        return 1 if found else 2 * open_questions


gate = Gate()
