"""Writes the tags in small letters too.

rejected by: the tags are sorted, each once, in whatever order and however often they come
must say: the same tags in another order
"""


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set([tag.lower() for tag in tags] or title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
