"""Returns the tools, sorted.

rejected by: there is one entry for each tool, with name, description and schema and nothing else
must say: a dict with the keys name, description, schema
"""


def manifest(registry):
    return [deepcopy(registry[name]) for name in sorted(registry)]
