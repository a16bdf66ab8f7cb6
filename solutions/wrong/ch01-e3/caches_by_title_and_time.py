"""Remembers the line of a title and a time, whatever the tags.

rejected by: what was said before does not change what is said now
must say: a memory ends
"""


lines = {}


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    line = f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
    return lines.setdefault((title, at), line)
