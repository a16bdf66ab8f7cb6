"""Sorts the tools of the registry that it was given.

rejected by: what is done to a manifest does not reach the tools
must say: leaves it in its order
"""


def manifest(registry):
    for name in sorted(registry):
        registry[name] = registry.pop(name)
    return [
        {"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema)}
        for tool in registry.values()
    ]
