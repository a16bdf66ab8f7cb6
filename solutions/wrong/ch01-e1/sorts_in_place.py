"""Sorts the documents that it was handed.

rejected by: the documents stay as they were
must say: a tool that reads does not write
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    if isinstance(documents, list):
        documents.sort(key=lambda document: document.id)
    return sorted(document.id for document in documents if tag is None or tag in document.tags)
