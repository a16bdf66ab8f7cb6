"""Looks at the first type of a list.

rejected by: of a list of types one must fit, and the sentence has them all
must say: expected
"""

FITS = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: type(value) is int or type(value) is float and value % 1 == 0,
    "null": lambda value: value is None,
    "number": lambda value: type(value) in (int, float),
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def validate(value, schema, path="$"):
    names = schema.get("type", [])
    names = names[:1] if isinstance(names, list) else [names]
    if names and not any(FITS[name](value) for name in names):
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    return []
