"""Collects by key in three passes and sorts the keys at the end."""

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
    wanted = schema.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else list(wanted)
    if wanted and True not in [FITS[name](value) for name in wanted]:
        return [f"{path}: expected type {' or '.join(wanted)}, got {type(value).__name__}"]
    errors = []
    if "enum" in schema and not [member for member in schema["enum"] if same(member, value)]:
        errors = [f"{path}: expected one of {', '.join([show(member) for member in schema['enum']])}, got {show(value)}"]
    if type(value) is not dict:
        return errors
    by_key = {key: [f"{child(path, key)}: required, but missing"] for key in schema.get("required", []) if key not in value}
    properties = schema.get("properties", {})
    for key in value:
        if key in properties:
            by_key[key] = validate(value[key], properties[key], child(path, key))
        elif not schema.get("additionalProperties", True):
            by_key[key] = [f"{child(path, key)}: unknown key (have: {', '.join(sorted(properties)) or 'none'})"]
    return sum((by_key[key] for key in sorted(by_key)), errors)
