"""Returns a generator, which nobody can read twice.

rejected by: a tag finds the documents that carry it, among those that were handed in
must say: expected
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return (id for id in sorted(document.id for document in documents if tag is None or tag in document.tags))
