"""Writes a small number with fewer than four digits.

rejected by: the number is stable_number of the title
must say: expected 'ticket 0
"""


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {stable_number(title)} [{', '.join(labels)}] {title} (opened {at})"
