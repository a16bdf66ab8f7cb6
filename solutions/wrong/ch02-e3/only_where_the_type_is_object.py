"""Looks at the keys where the schema says object, and nowhere else.

rejected by: any keyword may be absent, and keywords about keys say nothing of a value that is no dict
must say: required, but missing
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
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    errors = []
    if "enum" in schema and not any(same(value, member) for member in schema["enum"]):
        errors.append(f"{path}: expected one of {', '.join(map(show, schema['enum']))}, got {show(value)}")
    if schema.get("type") == "object":
        properties, required = schema.get("properties", {}), schema.get("required", [])
        for key in sorted({*value, *required}):
            place = child(path, key)
            if key not in value:
                errors.append(f"{place}: required, but missing")
            elif key in properties:
                errors += validate(value[key], properties[key], place)
            elif schema.get("additionalProperties", True) is False:
                errors.append(f"{place}: unknown key (have: {', '.join(sorted(properties)) or 'none'})")
    return errors
