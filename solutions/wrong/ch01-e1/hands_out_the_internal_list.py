"""Keeps the list that it made, and hands out the very one.

rejected by: each call returns a list of its own
must say: must not reach the next caller
"""

filed = {}


def list_documents(tag=None, *, documents=DOCUMENTS):
    key = (tag, tuple(documents))
    if key not in filed:
        filed[key] = sorted(document.id for document in documents if tag is None or tag in document.tags)
    return filed[key]
