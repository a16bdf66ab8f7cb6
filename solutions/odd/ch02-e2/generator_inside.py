"""Lists what a generator yields, and judges through the text of JSON."""

import json


def _errors(value, schema, path):
    wanted = schema.get("type", ())
    wanted = (wanted,) if type(wanted) is str else wanted
    text = json.dumps(value)
    kind = {"t": "boolean", "f": "boolean", "n": "null", '"': "string", "[": "array", "{": "object"}.get(text[0], "number")
    own = [kind] + ["integer"] * (kind == "number" and value == round(value))
    if wanted and not any(name in own for name in wanted):
        yield f"{path}: expected type {' or '.join(wanted)}, got {type(value).__name__}"


def validate(value, schema, path="$"):
    return [*_errors(value, schema, path)]
