"""Finds fault with the first record, ever.

rejected by: an intact chain has no fault, and neither has an empty one
must say: expected []
"""


def verify_records(records):
    return [fault(0, "hash_mismatch")]
