"""Remembers the first line that it gave for a title.

rejected by: what was said before does not change what is said now
must say: a memory ends
"""

lines = {}


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    line = f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
    return lines.setdefault(title, line)
