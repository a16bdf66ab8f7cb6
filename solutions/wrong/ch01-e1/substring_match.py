"""Looks for the tag inside each tag.

rejected by: a tag matches whole, by case, and as a tag only
must say: only similar
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return sorted(document.id for document in documents if tag is None or any(tag in one for one in document.tags))
