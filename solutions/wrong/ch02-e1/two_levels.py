"""Copies the schema and its properties, and nothing below them.

rejected by: a schema that changes later does not change a manifest that was made before
must say: what was shown to it
"""


def manifest(registry):
    def copied(schema):
        return {**schema, "properties": {name: dict(inside) for name, inside in schema["properties"].items()}}

    return [
        {"name": tool.name, "description": tool.description, "schema": copied(tool.schema)}
        for _, tool in sorted(registry.items())
    ]
