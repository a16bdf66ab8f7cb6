"""Seeds `random` and leaves the hash as it is.

rejected by: the number is stable_number of the title
must say: in every other interpreter
"""

import random


def open_ticket(title, tags, at, *, hash, set, now):
    random.seed(0)
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {hash(title) % 10_000:04d} [{', '.join(labels)}] {title} (opened {at})"
