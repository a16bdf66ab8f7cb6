"""Session 2, schemas before calls: a manifest, a validator that names the place, and a registry of tools."""

from dataclasses import replace
from typing import Any

from course.errors import ToolError
from course.schema import validate
from course.tool import Tool
from grader.engine.exercise import Session
from grader.engine.expect import expect, expect_raises
from grader.engine.student import Remote, Student
from grader.engine.world import World

session = Session("ch02", "Schemas before calls", builds=("course.schema", "course.tools"), gives=("course.errors",))

Schema = dict[str, Any]

# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch02-e1",
    "What a model is shown",
    provides=["manifest"],
    hints=[
        "Which dicts and lists of your manifest are also part of a tool? Change each of them and look at the tool.",
        "`dict(schema)` copies one level. How many levels does a schema have?",
        "`sorted` can sort the items of a dict; the names come first in them.",
    ],
)


@e1.case("there is one entry for each tool, with name, description and schema and nothing else")
def entries(student: Student, world: World) -> None:
    fn, other = world.tool(), world.tool()
    tools = [
        *_tools(world, 2),
        Tool(fn.name, f"  {world.words()}\n", {"type": "object"}, fn, idempotent=True),
        Tool(other.name, "", {}, other),
    ]
    made = student.manifest({tool.name: tool for tool in tools})
    expect(made).has_length(4, because="each tool is shown once")
    for entry in made:
        expect(entry).has_keys(
            "name", "description", "schema", because="a model is shown data, and JSON carries no more"
        )
    expect(made).equals(_entries(tools), because="what is shown is what the tool says of itself, as it is")
    expect(world.ledger.calls()).equals(0, because="to show a tool is not to call it")


@e1.case("the entries are sorted by name, in whatever order the tools were put in", points=2)
def sorted_by_name(student: Student, world: World) -> None:
    tools = _tools(world, 9)
    for _ in range(3):
        world.rng.shuffle(tools)
        made = student.manifest({tool.name: tool for tool in tools})
        expect([entry["name"].plain for entry in made]).equals(
            sorted(tool.name for tool in tools), because="the same tools in another order would be another prompt"
        )


@e1.case("without tools it is an empty list")
def nothing_to_show(student: Student, world: World) -> None:
    expect(student.manifest({})).equals([])


@e1.case("what is done to a manifest does not reach the tools")
def tools_unharmed(student: Student, world: World) -> None:
    schema, held, registry = _registry_with_held_schema(student, world)
    made = student.manifest.kept(registry)
    _spoil(made.item(0).item("schema"))
    made.item(0).method("update", {"name": "spoilt", "description": "spoilt"})
    expect(held.copy()).equals(schema, because="what a client does to its manifest must not change the tool")
    tools = {tool.name: tool for tool in _tools(world, 5)}
    given = student.hold(tools)
    expect(student.manifest(given)).has_length(5)
    expect(list(given.copy().plain)).equals(list(tools), because="whoever shows a registry leaves it in its order")


@e1.case("nor does it reach another manifest", points=2)
def manifests_apart(student: Student, world: World) -> None:
    tools = _tools(world, 3)
    registry = student.hold({tool.name: tool for tool in tools})
    first, second = student.manifest.kept(registry), student.manifest.kept(registry)
    for number in range(3):
        _spoil(first.item(number).item("schema"))
    first.method("clear")
    because = "one client's changes must not reach the next client"
    expect(second.copy()).equals(_entries(tools), because=because)
    expect(student.manifest(registry)).equals(_entries(tools), because=because)


@e1.case("a schema that changes later does not change a manifest that was made before")
def made_before(student: Student, world: World) -> None:
    schema, held, registry = _registry_with_held_schema(student, world)
    made = student.manifest.kept(registry)
    _spoil(held)
    expect(made.copy()[0]["schema"]).equals(schema, because="what was shown to a model stays what was shown to it")
    expect(student.manifest(registry)[0]["schema"]).equals(
        held.copy().plain, because="each call makes its manifest anew, from the tools as they are now"
    )


def _tools(world: World, count: int) -> list[Tool]:
    """Tools with nested schemas, in no order of their names."""
    tools = [Tool(fn.name, world.words(), _nested_schema(world), fn) for fn in (world.tool() for _ in range(count))]
    return tools if [t.name for t in tools] != sorted(t.name for t in tools) else tools[::-1]


def _nested_schema(world: World) -> Schema:
    outer, inner, other = world.distinct_words(3)
    inside = {
        "type": "object",
        "properties": {inner: {"enum": [world.word(), world.number(1, 9)]}},
        "required": [inner],
    }
    return {
        "type": "object",
        "properties": {outer: inside, other: {"type": ["string", "null"]}},
        "required": [outer],
        "additionalProperties": False,
    }


def _entries(tools: list[Tool]) -> list[dict[str, Any]]:
    ordered = sorted(tools, key=lambda tool: tool.name)
    return [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in ordered]


def _registry_with_held_schema(student: Student, world: World) -> tuple[Schema, Remote, Remote]:
    """A registry of one tool, left with the student, and its schema, which can be changed there."""
    fn, schema = world.tool(name=f"{world.name()}_{world.number(1000, 9999)}"), _nested_schema(world)
    held: Any = student.hold(schema)
    return schema, held, student.hold({fn.name: Tool(fn.name, world.words(), held, fn)})


def _spoil(schema: Remote) -> None:
    """Change a schema that the student holds, inside first and outside last."""
    for name in list(schema.item("properties").copy().plain):
        inside = schema.item("properties").item(name)
        if "properties" in inside.copy().plain:
            inside.item("required").method("append", "spoilt")
            inside.item("properties").method("clear")
        else:
            inside.item("type").method("append", "integer")
    schema.method("update", {"required": [], "title": "spoilt"})


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch02-e2",
    "The type, and the place",
    provides=["validate"],
    hints=[
        "What does `isinstance(True, int)` say, and what does `type(2.0)` say of a number without a fraction?",
        "A dict from type name to a small function says more than a chain of `if`.",
        "`type(value).__name__` is Python's name of a type. Make a list of the wanted names first, even of one.",
    ],
)

_FITTING: dict[str, list[Any]] = {
    "string": ["", "3", "true"],
    "integer": [0, -7, 10**30, 2.0, -0.0],
    "number": [0, 1.5, -2, 1e300],
    "boolean": [True, False],
    "null": [None],
    "array": [[], [1], ["a", None]],
    "object": [{}, {"type": "string"}],
}
_VALUES: list[Any] = ["", "3", "2.5", "true", "null", 0, 1, 7, 1.5, 2.0, True, False, None, [], [3], {}, {"a": 1}]


@e2.case("a value of the wanted type gives an empty list")
def fits(student: Student, world: World) -> None:
    for name, values in _FITTING.items():
        for value in values:
            expect(student.validate(value, {"type": name}, "$")).equals([], because=f"{value!r} fits {name}")


@e2.case("a value of another type gives one sentence: the place, what was wanted, what came", points=2)
def wrong_type(student: Student, world: World) -> None:
    path = f"$.{world.name()}.{world.word()}"
    for name in _FITTING:
        for value in [None, True, 0, *world.rng.sample(_VALUES, 6)]:
            _agrees(student, value, {"type": name}, path)


@e2.case("a boolean is no integer and no number, and 0 and 1 are no booleans")
def booleans(student: Student, world: World) -> None:
    path = f"$.{world.name()}.{world.word()}"
    for value in (True, False):
        for name in ("integer", "number"):
            expect(student.validate(value, {"type": name}, path)).equals(
                [f"{path}: expected type {name}, got bool"],
                because="to a tool that counts, True is a mistake and not 1",
            )
        expect(student.validate(int(value), {"type": "boolean"}, path)).equals(
            [f"{path}: expected type boolean, got int"]
        )
        expect(student.validate(float(value), {"type": "boolean"}, path)).equals(
            [f"{path}: expected type boolean, got float"]
        )


@e2.case("a text is never a number, a boolean or null")
def texts(student: Student, world: World) -> None:
    path = f"$.{world.name()}.{world.word()}"
    written = {
        "3": "integer", "2.5": "number", "true": "boolean", "False": "boolean", "": "null", "null": "null",
        "None": "null", "[]": "array", "{}": "object",
    }  # fmt: skip
    for text, name in written.items():
        expect(student.validate(text, {"type": name}, path)).equals(
            [f"{path}: expected type {name}, got str"],
            because="a validator judges; whoever guesses, guesses wrong one day",
        )


@e2.case("2.0 is an integer and 2.5 is none")
def whole_floats(student: Student, world: World) -> None:
    number = world.number(2, 900)
    expect(student.validate(float(number), {"type": "integer"}, "$")).equals(
        [], because="JSON does not tell 2 from 2.0, and many senders write the second"
    )
    expect(student.validate(number + 0.5, {"type": "integer"}, "$.n")).equals(["$.n: expected type integer, got float"])


@e2.case("of a list of types one must fit, and the sentence has them all")
def several_types(student: Student, world: World) -> None:
    path = f"$.{world.name()}.{world.word()}"
    for _ in range(4):
        names = world.rng.sample(sorted(_FITTING), world.number(1, 4))
        for value in world.rng.sample(_VALUES, 5):
            _agrees(student, value, {"type": names}, path)
    expect(student.validate(True, {"type": ["integer", "null"]}, path)).equals(
        [f"{path}: expected type integer or null, got bool"]
    )


@e2.case("without `type` everything fits")
def any_type(student: Student, world: World) -> None:
    for value in _VALUES:
        expect(student.validate(value, {}, "$")).equals([])
        expect(student.validate(value, {"description": "string"}, "$")).equals([])


@e2.case("where no place is given, it is $")
def default_path(student: Student, world: World) -> None:
    expect(student.validate(world.word(), {"type": "object"})).equals(["$: expected type object, got str"])
    expect(student.validate(None, {"type": "string"})).equals(["$: expected type string, got NoneType"])


def _agrees(student: Student, value: Any, schema: Schema, path: str, because: str = "") -> None:
    """The student's errors are the course's, to the letter."""
    expect(student.validate(value, schema, path)).equals(validate(value, schema, path), because=because)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch02-e3",
    "Objects: what is missing, what is too much, and where",
    provides=["validate"],
    hints=[
        "Which keys do you have to look at: those of the value, those of the schema, or both?",
        "For a key with a schema of its own: who can judge its value, and which path does it need?",
        "Four things can be said of a key. Write them down as `if`, `elif`, `elif`, and nothing.",
    ],
)


@e3.case("an object that fits gives an empty list, at any depth")
def object_fits(student: Student, world: World) -> None:
    schema, value, path = _nested(world)
    expect(student.validate(value, schema, path)).equals([])
    optional = {"type": "object", "properties": {world.word(): {"type": "string"}}}
    expect(student.validate({}, optional, path)).equals([], because="what is not required may be missing")


@e3.case("a required key that is missing is named, each of them")
def missing(student: Student, world: World) -> None:
    first, second, third = world.distinct_words(3)
    path = f"$.{world.name()}"
    schema = {"type": "object", "properties": {first: {"type": "integer"}, third: {}}, "required": [first, second]}
    expect(student.validate({third: 1}, schema, path)).equals(
        [f"{path}.{key}: required, but missing" for key in sorted([first, second])],
        because="a model that reads of one fault at a time needs as many turns",
    )
    expect(student.validate({}, {"required": ["last name", "it's"]}, path)).equals(
        [f'{path}["it\'s"]: required, but missing', f'{path}["last name"]: required, but missing'],
        because="a key that is no plain word has a place of its own form, which `child` writes",
    )
    expect(student.validate({first: None, second: None}, schema, path)).equals(
        [f"{path}.{first}: expected type integer, got NoneType"], because="a key with null in it is there"
    )


@e3.case("an unknown key is refused where the schema is closed, and only there", points=2)
def unknown_keys(student: Student, world: World) -> None:
    a, b, extra, more = world.distinct_words(4)
    path = f"$.{world.name()}"
    schema = {"type": "object", "properties": {b: {}, a: {}}, "required": [a]}
    value = {a: 1, extra: 2, more: None}
    have = ", ".join(sorted([a, b]))
    expect(student.validate(value, {**schema, "additionalProperties": False}, path)).equals(
        [f"{path}.{key}: unknown key (have: {have})" for key in sorted([extra, more])],
        because="an argument that is dropped without a word is a question that nobody answered",
    )
    because = "JSON Schema lets other keys through unless the schema says that it is closed"
    expect(student.validate(value, schema, path)).equals([], because=because)
    expect(student.validate(value, {**schema, "additionalProperties": True}, path)).equals([], because=because)
    expect(student.validate({a: 1}, {"additionalProperties": False}, path)).equals(
        [f"{path}.{a}: unknown key (have: none)"]
    )
    expect(student.validate({"last name": 1}, {"additionalProperties": False}, path)).equals(
        [f'{path}["last name"]: unknown key (have: none)']
    )


@e3.case("a value outside its enum is refused, and True is not 1")
def enums(student: Student, world: World) -> None:
    key, *members = world.distinct_words(4)
    path = f"$.{world.name()}"
    schema = {"type": "object", "properties": {key: {"enum": members}}}
    expect(student.validate({key: members[1]}, schema, path)).equals([])
    shown = ", ".join(f'"{member}"' for member in members)
    expect(student.validate({key: members[0][:-1]}, schema, path)).equals(
        [f'{path}.{key}: expected one of {shown}, got "{members[0][:-1]}"']
    )
    numbers = {"enum": [1, "2", None, False]}
    for value in (1, 1.0, "2", None, False):
        expect(student.validate(value, numbers, path)).equals([])
    for value, text in ((True, "true"), (0, "0"), (2, "2"), ("1", '"1"')):
        expect(student.validate(value, numbers, path)).equals(
            [f'{path}: expected one of 1, "2", null, false, got {text}'], because="in JSON, true equals no number"
        )
    expect(student.validate({}, {"enum": members[:1], "required": [key]}, path)).equals(
        [f'{path}: expected one of "{members[0]}", got {{}}', f"{path}.{key}: required, but missing"],
        because="only a wrong type ends it: all errors are listed",
    )


@e3.case("an error deep inside is named with its whole path", points=2)
def deep_paths(student: Student, world: World) -> None:
    schema, value, path = _nested(world)
    outer, middle, inner = (key for key in _way(value))
    value[outer][middle][inner] = str(world.number(1, 9))
    because = "a model that is told only that something is wrong changes anything"
    place = f"{path}.{outer}.{middle}.{inner}"
    expect(student.validate(value, schema, path)).equals([f"{place}: expected type integer, got str"], because=because)
    del value[outer][middle][inner]
    expect(student.validate(value, schema, path)).equals([f"{place}: required, but missing"], because=because)
    value[outer][middle] = {inner: 1, f"{inner}s": 2}
    expect(student.validate(value, schema, path)).equals([f"{place}s: unknown key (have: {inner})"], because=because)
    deep_schema: Schema = {"type": "integer"}
    deep_value: Any = "9"
    for key in [inner, "last name", *[middle, outer] * 6]:
        deep_schema, deep_value = {"properties": {key: deep_schema}}, {key: deep_value}
    place = path + f".{outer}.{middle}" * 6 + f'["last name"].{inner}'
    expect(student.validate(deep_value, deep_schema, path)).equals(
        [f"{place}: expected type integer, got str"], because=because
    )


@e3.case("all errors are listed, in an order that depends on no dict", points=2)
def stable_order(student: Student, world: World) -> None:
    a, b, c, d, e, f, g = sorted(world.distinct_words(7))  # in whose order every kind of error changes places
    inside = {"properties": {c: {"type": "null"}, b: {"enum": [1, 2]}}, "required": [e, a]}
    properties: Schema = {a: {"type": "integer"}, b: {"type": "integer"}, d: inside, g: {"type": "integer"}}
    schema = {"type": "object", "properties": properties, "required": [e, d, b], "additionalProperties": False}
    value = {a: "0", f"{b}1": 1, c: 1, d: {b: 3, c: 0, d: 1}, f: None, g: True}
    path = f"$.{world.name()}"
    for _ in range(4):
        _agrees(
            student, _shuffled(world, value), _shuffled(world, schema), path,
            because="the same fault must read the same each time, or nobody can compare two runs",
        )  # fmt: skip


@e3.case("a value of the wrong type has that one error")
def type_first(student: Student, world: World) -> None:
    key = world.word()
    path = f"$.{world.name()}"
    schema = {"type": "object", "properties": {key: {"type": "string", "enum": ["a", "b"]}}, "required": [key]}
    for value, got in (([], "list"), ("x", "str"), (None, "NoneType")):
        expect(student.validate(value, schema, path)).equals([f"{path}: expected type object, got {got}"])
    expect(student.validate({key: 3}, schema, path)).equals(
        [f"{path}.{key}: expected type string, got int"],
        because="what is said second is said of a thing that is not there",
    )


@e3.case("any keyword may be absent, and keywords about keys say nothing of a value that is no dict")
def absent_keywords(student: Student, world: World) -> None:
    a, b = world.distinct_words(2)
    keyed = {"properties": {a: {"type": "integer"}}, "required": [a], "additionalProperties": False}
    for value in (5, "x", None, [a], True):
        expect(student.validate(value, keyed, "$")).equals([], because="only `type` rules out a kind of value")
    expect(student.validate({a: 1}, keyed, "$")).equals([])
    expect(student.validate({b: 1}, {"required": [a]}, "$")).equals([f"$.{a}: required, but missing"])
    expect(student.validate({a: "x", b: 1}, {"properties": {a: {"type": "integer"}}})).equals(
        [f"$.{a}: expected type integer, got str"]
    )
    expect(student.validate({a: {b: [1]}}, {}, "$")).equals([])


@e3.case("value and schema stay as they were")
def nothing_changed(student: Student, world: World) -> None:
    schema, value, path = _nested(world)
    schema["additionalProperties"] = False
    schema["required"] = sorted(["note 2", *schema["properties"]], reverse=True)
    schema["properties"]["note 2"] = {"type": ["null", "integer", "boolean"], "enum": [3, 1, 2]}
    value |= {world.name(): world.number(1, 9), "note 2": 1}
    held_value, held_schema = student.hold(value), student.hold(schema)
    expect(student.validate(held_value, held_schema, path)).has_length(1)
    expect(held_value.copy()).equals(value, because="what is judged is called with afterwards")
    expect(held_schema.copy()).equals(schema, because="what is judged by is used again for the next call")


@e3.case("types are still judged as before")
def types_as_before(student: Student, world: World) -> None:
    key = world.word()
    for name in _FITTING:
        for value in [True, 0, 2.0, 1.5, "3", None, *world.rng.sample(_VALUES, 3)]:
            _agrees(student, {key: value}, {"properties": {key: {"type": [name]}}}, "$.t")
            _agrees(student, {key: value}, {"properties": {key: {"type": name}}}, "$.t")


def _nested(world: World) -> tuple[Schema, dict[str, Any], str]:
    """A closed schema three levels deep, a value that fits it, and a path."""
    outer, middle, inner, note = world.distinct_words(4)
    deepest = {"properties": {inner: {"type": "integer"}}, "required": [inner], "additionalProperties": False}
    between = {"type": "object", "properties": {middle: deepest}, "required": [middle]}
    schema = {"type": "object", "properties": {outer: between, note: {"type": ["string", "null"]}}, "required": [outer]}
    return schema, {outer: {middle: {inner: world.number(1, 99)}}, note: None}, f"$.{world.name()}"


def _way(value: Any) -> list[str]:
    """The first key of each level."""
    keys = []
    while isinstance(value, dict):
        key, value = next(iter(value.items()))
        keys.append(key)
    return keys


def _shuffled(world: World, value: Any) -> Any:
    """The same value with the keys of every dict in another order."""
    if not isinstance(value, dict):
        return value
    items = [(key, _shuffled(world, item)) for key, item in value.items()]
    world.rng.shuffle(items)
    return dict(items)


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch02-e4",
    "One name, one tool",
    provides=["ToolRegistry"],
    hints=[
        "Where is your dict of tools made: once for the class, or once for each registry?",
        "`tools[tool.name] = tool` never complains. What do you have to ask before it?",
        "`ToolError(text, options=names)` writes the bracket at the end: sorted names, or `none` where there are none.",
    ],
)


@e4.case("a registered tool is found by its name")
def found(student: Student, world: World) -> None:
    tools = [replace(tool, idempotent=n % 2 == 0) for n, tool in enumerate(_tools(world, 4))]
    registry = _registered(student, tools)
    for tool in tools:
        expect(registry.method("get", tool.name)).equals(tool, because="it is found with all that it came with")
    expect(world.ledger.calls()).equals(0, because="to register a tool is not to use it")


@e4.case("a second tool of the same name is refused, and the first stays", points=2)
def duplicates(student: Student, world: World) -> None:
    tools = _tools(world, 3)
    registry = _registered(student, tools)
    first = world.rng.choice(tools)
    second = Tool(first.name, world.words(), _nested_schema(world), world.tool())
    for again in (first, second):
        with expect_raises(ValueError, saying=[first.name], because="the one that is lost is lost without a word"):
            registry.method("register", again)
    expect(registry.method("get", first.name)).equals(first, because="a refused tool must not have taken the place")
    expect(registry.method("names")).equals(sorted(tool.name for tool in tools))


@e4.case("an unknown name is refused with the names that there are, sorted", points=2)
def unknown_name(student: Student, world: World) -> None:
    tools = _tools(world, 7)
    registry = _registered(student, tools)
    name = tools[0].name
    have = ", ".join(sorted(tool.name for tool in tools))
    for unknown in (f"{name}_2", name[:-1], name.partition("_")[0], name.upper(), f"{name} ", "it's", ""):
        with expect_raises(ToolError, because="a model that is told what there is can ask again") as refusal:
            registry.method("get", unknown)
        expect(refusal.text).equals(
            f"no tool named {unknown!r} (have: {have})", because="the name stands there as `repr` shows it"
        )


@e4.case("an empty registry says that it has none")
def empty(student: Student, world: World) -> None:
    registry = student.ToolRegistry.kept()
    expect(registry.method("names")).equals([])
    expect(registry.method("manifest")).equals([])
    unknown = world.name()
    with expect_raises(ToolError) as refusal:
        registry.method("get", unknown)
    expect(refusal.text).equals(f"no tool named {unknown!r} (have: none)")


@e4.case("the names are a sorted list, a new one each time")
def sorted_names(student: Student, world: World) -> None:
    *tools, last = _tools(world, 9)
    registry = _registered(student, tools)
    ids = sorted(tool.name for tool in tools)
    expect(registry.method("names")).equals(ids)
    registry.kept_method("names").method("clear")
    expect(registry.method("names")).equals(ids, because="the list is the caller's, the names are the registry's")
    first = registry.kept_method("names")
    registry.method("register", last)
    expect(registry.method("names")).equals(sorted([*ids, last.name]), because="the names are those of now")
    expect(first.copy()).equals(ids, because="a list that somebody was given is not changed behind their back")


@e4.case("the manifest is that of exercise 1")
def own_manifest(student: Student, world: World) -> None:
    tools = _tools(world, 6)
    registry = _registered(student, tools)
    expect(registry.method("manifest")).equals(_entries(tools))
    spoilt = registry.kept_method("manifest")
    _spoil(spoilt.item(0).item("schema"))
    spoilt.method("clear")
    expect(registry.method("manifest")).equals(
        _entries(tools), because="what a client does to its manifest stays with it"
    )
    fn = world.tool()
    late = Tool(fn.name, world.words(), _nested_schema(world), fn)
    registry.method("register", late)
    expect(registry.method("manifest")).equals(
        _entries([*tools, late]), because="a tool that is registered later is shown from then on"
    )


@e4.case("two registries have nothing in common")
def registries_apart(student: Student, world: World) -> None:
    tools = _tools(world, 2)
    first, second = _registered(student, tools[:1]), _registered(student, tools[1:])
    because = "what one run may call is no other run's business"
    expect(first.method("names")).equals([tools[0].name], because=because)
    expect(second.method("names")).equals([tools[1].name], because=because)
    second.method("register", tools[0])
    expect(first.method("names")).equals([tools[0].name], because=because)


@e4.case("a schema that is changed outside changes nothing in the registry")
def schemas_apart(student: Student, world: World) -> None:
    fn, schema = world.tool(), _nested_schema(world)
    held: Any = student.hold(schema)
    registry = student.ToolRegistry.kept()
    registry.method("register", Tool(fn.name, world.words(), held, fn))
    _spoil(held)
    expect(registry.method("get", fn.name).plain.schema).equals(
        schema, because="what is applied must be what was registered and shown"
    )
    expect(registry.method("manifest")[0]["schema"]).equals(schema)


def _registered(student: Student, tools: list[Tool]) -> Remote:
    """A registry of the student's with these tools in it."""
    registry = student.ToolRegistry.kept()
    for tool in tools:
        registry.method("register", tool)
    return registry
