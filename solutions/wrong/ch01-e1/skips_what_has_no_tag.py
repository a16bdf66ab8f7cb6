"""Collects the documents by their tags, so that one without a tag is in no collection.

rejected by: without a tag, or with None, every document is listed
must say: a document without any tag
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    by_tag = {}
    for document in documents:
        for one in document.tags:
            by_tag.setdefault(one, set()).add(document.id)
    if tag is None:
        return sorted(set().union(*by_tag.values()))
    return sorted(by_tag.get(tag, ()))
