"""Raises where no document carries the tag.

rejected by: a tag that nobody carries gives an empty list, and so does the empty text
must say: ValueError: no document
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    found = sorted(document.id for document in documents if tag is None or tag in document.tags)
    if not found:
        raise ValueError(f"no document carries {tag!r}")
    return found
