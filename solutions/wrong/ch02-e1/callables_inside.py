"""Shows the function too.

rejected by: there is one entry for each tool, with name, description and schema and nothing else
must say: not wanted 'fn'
"""


def manifest(registry):
    return [
        {"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema), "fn": tool.fn}
        for _, tool in sorted(registry.items())
    ]
