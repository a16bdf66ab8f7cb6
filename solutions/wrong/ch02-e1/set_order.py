"""Goes through the names in the order of a set.

rejected by: the entries are sorted by name, in whatever order the tools were put in
must say: would be another prompt
"""


def manifest(registry):
    return [
        {"name": name, "description": registry[name].description, "schema": deepcopy(registry[name].schema)}
        for name in set(registry)
    ]
