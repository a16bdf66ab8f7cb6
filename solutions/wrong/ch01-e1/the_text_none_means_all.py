"""Takes the text None for None, as a model may write it.

rejected by: a tag that nobody carries gives an empty list, and so does the empty text
must say: None alone means all
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    return sorted(document.id for document in documents if str(tag) == "None" or tag in document.tags)
