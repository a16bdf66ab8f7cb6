"""Sorts the tags and not the words of the title.

rejected by: without tags the words of the title are sorted too
must say: no order in this branch either
"""


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags)) if tags else list(set(title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
