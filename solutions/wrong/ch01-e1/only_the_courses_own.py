"""Reads the course's documents, whatever was handed in.

rejected by: a tag finds the documents that carry it, among those that were handed in
must say: you returned []
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return sorted(document.id for document in DOCUMENTS if tag is None or tag in document.tags)
