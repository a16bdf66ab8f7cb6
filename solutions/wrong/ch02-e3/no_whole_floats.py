"""Takes 2.0 for no integer any more.

rejected by: types are still judged as before
must say: expected []
"""


def validate(value, schema, path="$"):
    def is_number(value):
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    fits = {
        "array": lambda value: isinstance(value, list),
        "boolean": lambda value: isinstance(value, bool),
        "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
        "null": lambda value: value is None,
        "number": is_number,
        "object": lambda value: isinstance(value, dict),
        "string": lambda value: isinstance(value, str),
    }
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(fits[name](value) for name in names):
        return [f"{path}: expected type {' or '.join(names)}, got {type(value).__name__}"]
    errors = []
    if "enum" in schema and not any(same(value, member) for member in schema["enum"]):
        errors.append(f"{path}: expected one of {', '.join(map(show, schema['enum']))}, got {show(value)}")
    if isinstance(value, dict):
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
