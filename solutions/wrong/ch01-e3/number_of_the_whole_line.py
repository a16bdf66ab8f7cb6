"""Makes the number from title, tags and time.

rejected by: the number is stable_number of the title
must say: in every other interpreter
"""


def open_ticket(title, tags, at, *, hash, set, now):
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {stable_number(f'{title}{labels}{at}'):04d} [{', '.join(labels)}] {title} (opened {at})"
