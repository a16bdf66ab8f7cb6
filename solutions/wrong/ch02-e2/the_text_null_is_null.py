"""Takes the text null for null.

rejected by: a text is never a number, a boolean or null
must say: whoever guesses, guesses wrong one day
"""


def validate(value, schema, path="$"):
    def is_number(value):
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    fits = {
        "array": lambda value: isinstance(value, list),
        "boolean": lambda value: isinstance(value, bool),
        "integer": lambda value: is_number(value) and value % 1 == 0,
        "null": lambda value: value in (None, "null"),
        "number": is_number,
        "object": lambda value: isinstance(value, dict),
        "string": lambda value: isinstance(value, str),
    }
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(fits[name](value) for name in names):
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    return []
