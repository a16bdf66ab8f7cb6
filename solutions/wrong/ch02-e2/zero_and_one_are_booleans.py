"""Takes the floats 0.0 and 1.0 for booleans.

rejected by: a boolean is no integer and no number, and 0 and 1 are no booleans
must say: got float
"""


def validate(value, schema, path="$"):
    def is_number(value):
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    fits = {
        "array": lambda value: isinstance(value, list),
        "boolean": lambda value: isinstance(value, bool) or isinstance(value, float) and value in (0, 1),
        "integer": lambda value: is_number(value) and value % 1 == 0,
        "null": lambda value: value is None,
        "number": is_number,
        "object": lambda value: isinstance(value, dict),
        "string": lambda value: isinstance(value, str),
    }
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(fits[name](value) for name in names):
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    return []
