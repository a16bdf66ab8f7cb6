"""Keeps True out of the integers and lets it in among the numbers.

rejected by: a boolean is no integer and no number, and 0 and 1 are no booleans
must say: expected type number, got bool
"""

FITS = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: type(value) is int or type(value) is float and value % 1 == 0,
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)),
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def validate(value, schema, path="$"):
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(FITS[name](value) for name in names):
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    return []
