"""Calls what came by the name that JSON has for it.

rejected by: a value of another type gives one sentence: the place, what was wanted, what came
must say: expected type
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
    names = names if isinstance(names, list) else [names]
    if names and not any(FITS[name](value) for name in names):
        came = next(name for name in ("boolean", "integer", "number", "string", "null", "array", "object") if FITS[name](value))
        return [f"{path}: expected type {' or '.join(names)}, got {came}"]
    return []
