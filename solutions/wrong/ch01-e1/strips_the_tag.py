"""Takes the spaces around a tag off.

rejected by: a tag matches whole, by case, and as a tag only
must say: a space is a character like any other
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    tag = tag and tag.strip()
    return sorted(document.id for document in documents if tag is None or tag in document.tags)
