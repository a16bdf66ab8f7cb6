"""Sorts the list of the caller.

rejected by: the tags are sorted, each once, in whatever order and however often they come
must say: has it in that order
"""


def open_ticket(title, tags, at, *, hash, set, now):
    tags.sort()
    labels = dict.fromkeys(tags or sorted(title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
