"""Lists the ids in the order of the documents.

rejected by: the ids are sorted, whatever the order of the documents
must say: the same documents in another order
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return [document.id for document in documents if tag is None or tag in document.tags]
