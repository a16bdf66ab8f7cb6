"""Leaves the three alone and counts the digits of the hash by itself."""

import builtins
import hashlib


def open_ticket(title, tags, at, **_ignored):
    number = str(int(hashlib.sha256(title.encode()).hexdigest(), 16))[-4:]
    words = builtins.set(tags) if tags else {word for word in title.lower().split()}
    return "ticket {} [{}] {} (opened {})".format(number, ", ".join(sorted(words)), title, at)
