"""Collects the ids in a set and lists it as it comes.

rejected by: the ids are sorted, whatever the order of the documents
must say: the same documents in another order
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return list({document.id for document in documents if tag is None or tag in document.tags})
