"""Takes a word of the title or the text for a tag.

rejected by: a tag matches whole, by case, and as a tag only
must say: you returned
"""


def list_documents(tag=None, *, documents=DOCUMENTS):
    def fits(document):
        return tag in document.tags or tag in document.text.split() or tag in (document.title, document.id)

    return sorted(document.id for document in documents if tag is None or fits(document))
