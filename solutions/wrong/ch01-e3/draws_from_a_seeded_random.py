"""Draws the number from a random generator that it has seeded with the title.

rejected by: the number is stable_number of the title
must say: in every other interpreter
"""

import random


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {random.Random(title).randrange(10_000):04d} [{', '.join(labels)}] {title} (opened {at})"
