"""A class that collects the errors while it walks down."""


class Judge:
    """Collects what is wrong."""

    kinds = {bool: ["boolean"], type(None): ["null"], int: ["integer", "number"], str: ["string"], list: ["array"], dict: ["object"]}

    def __init__(self):
        self.errors = []

    def say(self, path, text):
        self.errors.append(f"{path}: {text}")

    def look(self, value, schema, path):
        wanted = schema.get("type")
        if wanted:
            wanted = [wanted] if isinstance(wanted, str) else wanted
            own = self.kinds.get(type(value)) or (["number", "integer"] if value.is_integer() else ["number"])
            if not set(own) & set(wanted):
                return self.say(path, f"expected type {' or '.join(wanted)}, got {type(value).__name__}")
        if "enum" in schema and all(not same(member, value) for member in schema["enum"]):
            self.say(path, f"expected one of {', '.join(show(member) for member in schema['enum'])}, got {show(value)}")
        if isinstance(value, dict):
            self.keys(value, schema, path)

    def keys(self, value, schema, path):
        known = schema.get("properties") or {}
        for key in sorted(set(value) | set(schema.get("required") or [])):
            if key not in value:
                self.say(child(path, key), "required, but missing")
            elif key in known:
                self.look(value[key], known[key], child(path, key))
            elif schema.get("additionalProperties") is False:
                self.say(child(path, key), f"unknown key (have: {', '.join(sorted(known)) if known else 'none'})")


def validate(value, schema, path="$", *, judge=Judge):
    found = judge()
    found.look(value, schema, path)
    return found.errors
