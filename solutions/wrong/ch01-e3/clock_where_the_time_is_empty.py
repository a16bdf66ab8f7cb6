"""Reads the clock where the caller's time is empty.

rejected by: the time is the caller's, and no clock is in the line
must say: whenever it is read
"""


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at or now()})"
