"""Remembers the first number that it had for a title.

rejected by: two interpreters, the same bytes
must say: depends on title, tags and time alone
"""

numbers = {}


def open_ticket(title, tags, at, *, hash, set, now):
    number = numbers.setdefault(title, hash(title) % 10_000)
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {number:04d} [{', '.join(labels)}] {title} (opened {at})"
