"""Puts one space between the words of the title.

rejected by: the number is stable_number of the title
must say: Two  spaces
"""


def open_ticket(title, tags, at, *, hash, set, now):
    shown = ' '.join(title.split())
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {shown} (opened {at})"
