"""An object that sorts by hand and calls all three for nothing."""


class Desk:
    """Opens tickets."""

    def __call__(self, title, tags, at, *, hash=None, set=None, now=None, desk="first"):
        hash(title), now()
        labels = []
        for word in list(tags) or title.lower().split():
            if word not in labels:
                labels.append(word)
        labels.sort()
        return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"


open_ticket = Desk()
