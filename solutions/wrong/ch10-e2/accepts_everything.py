"""Finds nothing, ever.

rejected by: what was edited is a hash_mismatch, and no stored hash is believed
must say: no fault
"""


def verify_records(records):
    return []
