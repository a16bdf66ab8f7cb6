"""Asks with `match`, and takes keywords that nobody gives."""


def kinds(value):
    """The JSON types that a value has."""
    match value:
        case bool():
            return {"boolean"}
        case None:
            return {"null"}
        case int():
            return {"integer", "number"}
        case float():
            return {"number", "integer"} if value.is_integer() else {"number"}
        case str():
            return {"string"}
        case list():
            return {"array"}
        case dict():
            return {"object"}


def validate(value, schema, path="$", *, strict=True):
    wanted = schema.get("type")
    if wanted is None:
        return []
    if isinstance(wanted, str):
        wanted = [wanted]
    if kinds(value).intersection(wanted):
        return []
    return ["%s: expected type %s, got %s" % (path, " or ".join(wanted), value.__class__.__name__)]
