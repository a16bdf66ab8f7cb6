"""Fills the same list anew in each call.

rejected by: each call returns a list of its own
must say: what an earlier caller was given
"""

found = []


def list_documents(tag=None, *, documents=DOCUMENTS):
    found[:] = sorted(document.id for document in documents if tag is None or tag in document.tags)
    return found
