"""Accepts what `int` can read.

rejected by: a text is never a number, a boolean or null
must say: whoever guesses
"""


def fits_integer(value):
    try:
        return int(value) == float(value) and not isinstance(value, bool)
    except (TypeError, ValueError):
        return False


FITS = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": fits_integer,
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
