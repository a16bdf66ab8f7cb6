"""Compares in small letters.

rejected by: a tag matches whole, by case, and as a tag only
must say: only similar
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    wanted = tag and tag.lower()
    return sorted(document.id for document in documents if tag is None or wanted in [one.lower() for one in document.tags])
