"""Filters first, maps then, and copies what it keeps in a cache."""

from functools import lru_cache


@lru_cache
def _found(tag, documents):
    kept = documents if tag is None else tuple(filter(lambda document: tag in document.tags, documents))
    return tuple(sorted(map(lambda document: document.id, kept)))


def list_documents(tag=None, documents=DOCUMENTS):
    return list(_found(tag, tuple(documents)))
