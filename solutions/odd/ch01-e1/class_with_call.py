"""An object with `__call__`, and a list that is filled by insertion."""

from bisect import insort


class Catalogue:
    """Finds documents by tag."""

    def __call__(self, tag=None, *, documents=DOCUMENTS, limit=None):
        found = []
        for document in documents:
            if tag is None or any(tag == one for one in document.tags):
                insort(found, document.id)
        return found[:limit]


list_documents = Catalogue()
