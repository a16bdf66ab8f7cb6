"""Takes an empty tag for no tag.

rejected by: a tag that nobody carries gives an empty list, and so does the empty text
must say: None alone means all
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return sorted(document.id for document in documents if not tag or tag in document.tags)
