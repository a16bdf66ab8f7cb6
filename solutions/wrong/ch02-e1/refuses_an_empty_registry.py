"""Raises where there are no tools.

rejected by: without tools it is an empty list
must say: ValueError: no tools
"""


def manifest(registry):
    if not registry:
        raise ValueError("no tools")
    return [
        {"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema)}
        for _, tool in sorted(registry.items())
    ]
