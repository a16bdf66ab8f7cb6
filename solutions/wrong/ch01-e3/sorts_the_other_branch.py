"""Sorts the words of the title and not the tags.

rejected by: the tags are sorted, each once, in whatever order and however often they come
must say: the same tags in another order
"""


def open_ticket(title, tags, at, *, hash, set, now):
    labels = set(tags) if tags else sorted(set(title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
