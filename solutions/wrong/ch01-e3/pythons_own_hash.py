"""Takes Python's own hash past the one that was handed in.

rejected by: the number is stable_number of the title
must say: in every other interpreter
"""

import builtins


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {builtins.hash(title) % 10_000:04d} [{', '.join(labels)}] {title} (opened {at})"
