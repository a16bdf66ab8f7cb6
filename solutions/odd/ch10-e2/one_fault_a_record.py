"""Names one fault a record, and carries the hash that it computed."""


def verify_records(records):
    faults, before, due = [], GENESIS, 0

    def found(kind, **more):
        faults.append(fault(due, kind, **more))

    for record in records:
        digest = None
        if type(record) is not dict:
            found("not_an_object", detail=type(record).__name__)
        elif record.keys() != FIELDS or not isinstance(record.get("kind"), str):
            found("missing_fields")
        else:
            try:
                digest = sha256(canonical_bytes({k: v for k, v in record.items() if k != "hash"}))
            except ValueError as error:
                found("unserialisable_payload", detail=str(error))
            else:
                if digest != record["hash"]:
                    found("hash_mismatch")
                elif isinstance(record["seq"], bool) or not isinstance(record["seq"], int) or record["seq"] != due:
                    found("seq_gap")
                elif before not in (None, record["prev"]):
                    found("prev_mismatch")
        before, due = digest, due + 1
    return faults
