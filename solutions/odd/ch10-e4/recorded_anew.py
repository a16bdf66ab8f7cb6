"""Records the forged run anew with Transcript, and compares with a slice."""


def reforge(records, index, payload):
    again = Transcript()
    for n, record in enumerate(records):
        again.append(record["kind"], payload if n == index else record["payload"])
    return again.records


def verify_anchored(records, anchor=None):
    extra = []
    if anchor:
        there, due = len(records), anchor["count"]
        if there < due:
            extra.append(fault(there, "records_missing"))
        else:
            try:
                fits = anchor_of(records[:due]) == anchor
            except Exception:
                fits = False
            if not fits:
                extra.append(fault(due - 1, "head_mismatch"))
        if there > due:
            extra.append(fault(due, "beyond_anchor", detail=f"{there - due} more"))
    return verify_records(records) + extra
