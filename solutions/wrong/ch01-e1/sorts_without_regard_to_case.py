"""Sorts as a library would, capitals beside small letters.

rejected by: the ids are sorted, whatever the order of the documents
must say: the same documents in another order
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    ids = [document.id for document in documents if tag is None or tag in document.tags]
    return sorted(ids, key=str.lower)
