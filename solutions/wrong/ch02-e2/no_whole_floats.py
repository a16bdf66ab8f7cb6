"""Takes no float for an integer.

rejected by: 2.0 is an integer and 2.5 is none
must say: many senders write the second
"""

FITS = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: type(value) is int,
    "null": lambda value: value is None,
    "number": lambda value: type(value) in (int, float),
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def validate(value, schema, path="$"):
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(FITS[name](value) for name in names):
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    return []
