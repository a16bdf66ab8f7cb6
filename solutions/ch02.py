# %% [markdown]
# # 2 · Schemas before calls
#
# **You will build** what stands between a model and your tools: a manifest that tells which tools there are, a validator that says what is wrong with an
# argument and where, and a registry that knows each tool by one name.
#
# **You need** Python: dicts, lists, recursion, a small class. What it uses of session 1 is said again.
#
# **Minutes** about 90.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## A caller that cannot read your code
#
# A **tool** is a function that a program calls on behalf of a language model. The model writes a name and some arguments; the program finds the function and
# calls it. The model has never seen the function. All that it knows is what the program tells it beforehand, and that has to be data.
#
# The usual form for it is **JSON Schema**: a dict that says what another value must be like. This one describes the arguments of a tool that adds two integers.

# %% tags=["given"]
def add(a, b):
    return a + b


ADD_SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}

# %% [markdown]
# In words: the arguments are an object, which is JSON's name for a dict. It has the keys `a` and `b`, both integers, neither may be missing, and no other key.
#
# `Tool` holds together what belongs together. (`idempotent` is for session 7.)

# %% tags=["given"]
from dataclasses import fields

from course.tool import Tool

print([field.name for field in fields(Tool)])

ADD = Tool("add", "Adds two integers.", ADD_SCHEMA, add)
ECHO = Tool(
    "echo",
    "Gives back what it was given.",
    {"type": "object", "properties": {"value": {}}, "required": ["value"], "additionalProperties": False},
    lambda value: value,
)
registry = {"echo": ECHO, "add": ADD}

# %% [markdown]
# The way of a call, once this session is done. Nothing of a tool runs before the last step:
#
# ![The way of a call. A manifest with names, descriptions and schemas was shown to the model. The model asks with a name and arguments. First the registry: is there such a tool? If not, the answer is: no tool named multiply, have add and echo. Then the schema: do the arguments fit? If not: $.add.a, expected type integer, got str. Only then the function is called.](pictures/ch02-registry.svg)

# %% [markdown]
# ## 1 · What a model is shown
#
# Model providers keep the beginning of a prompt in a cache, which makes the next request with the same beginning cheap. The tool list stands at the beginning.
# OpenClaw asked its tool servers for that list before each turn and passed it on in the order in which it came. Nothing promises an order. As soon as two
# tools change places, everything behind them is paid for again ([openclaw/openclaw #58037](https://github.com/openclaw/openclaw/pull/58037)).
#
# The list is called a **manifest**. The first one that comes to mind:

# %% tags=["given"]
def hasty_manifest(registry):
    """All tools, as they come."""
    return [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in registry.values()]


one = hasty_manifest({"echo": ECHO, "add": ADD})
other = hasty_manifest({"add": ADD, "echo": ECHO})
print("the same tools:", one == other[::-1], " the same text:", str(one) == str(other))

# %% [markdown]
# It has a second fault. A client often adapts the list to its provider: a word less here, a note there. In the Strands SDK a registry copied its tool
# descriptions one level deep, and each adaptation went into the registered tool itself
# ([strands-agents/harness-sdk #3911](https://github.com/strands-agents/harness-sdk/pull/3911)). The same here:

# %% tags=["given"]
from copy import deepcopy

victim = Tool("victim", "Adds two integers.", deepcopy(ADD_SCHEMA), add)
shown = hasty_manifest({"victim": victim})
shown[0]["schema"]["properties"]["a"]["type"] = "string"

print("what the tool itself now asks for:", victim.schema["properties"])

# %% [markdown]
# **You write** `manifest(registry)`. `registry` is a dict from name to `Tool`, each under its own name.
#
# - It returns a list with one dict for each tool: the keys `name`, `description` and `schema`, as they are, and no other.
# - The list is sorted by name, in whatever order the tools were put in.
# - It holds only what JSON can carry, so the function is not in it.
# - Each call makes everything anew, at every level. What is done to a manifest changes neither a tool nor another manifest, and what is later done to a tool's
#   schema does not change a manifest that was made before.
# - No tools, no entries: an empty list.
#
# **Don't change** `Tool`, or the registry that you are given.
#
# **Done when** the check has spoilt one manifest, inside and outside, and the next one is as good as new.

# %% tags=["answer"] exercise="ch02-e1"
def manifest(registry):
    """What a model is shown: name, description and schema of each tool, sorted by name.

    registry: name -> Tool
    """
    ### BEGIN SOLUTION
    return [
        {"name": tool.name, "description": tool.description, "schema": deepcopy(tool.schema)}
        for _, tool in sorted(registry.items())
    ]
    ### END SOLUTION

# %% tags=["demo"] exercise="ch02-e1"
def spoil(made):
    """Do to a manifest what a careless client may do."""
    for entry in made:
        entry["schema"]["properties"].clear()
    made.clear()


def after_a_client(registry):
    """The manifest that the next client gets."""
    spoil(manifest(registry))
    return manifest(registry)


compare(
    lambda: after_a_client(deepcopy(registry)),
    [
        {"name": "add", "description": "Adds two integers.", "schema": ADD_SCHEMA},
        {"name": "echo", "description": "Gives back what it was given.", "schema": ECHO.schema},
    ],
)

# %% tags=["check"] exercise="ch02-e1"
check("ch02-e1", manifest)

# %% [markdown]
# ## 2 · The type, and the place
#
# MCP is a protocol by which programs offer tools to models. The manual of its Python library says of the lower of its two interfaces that the schema is
# advertised to the client and never applied. A call without the argument `limit` gets as far as the function, which fails with a `KeyError`. The model reads
# "Internal server error", code -32603, and cannot know that it forgot something
# ([modelcontextprotocol/python-sdk, low-level server](https://github.com/modelcontextprotocol/python-sdk/blob/main/docs/advanced/low-level-server.md)).
#
# Where a schema is not applied before the call, a wrong argument surfaces somewhere inside, or nowhere:

# %% tags=["given"]
def call_and_hope(tool, args):
    """Calls, and says what came of it."""
    try:
        return tool.fn(**args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


for args in ({"a": 1, "b": 2}, {"a": "1", "b": "2"}, {"a": True, "b": True}, {"a": 1, "b": "2"}, {"a": 1}):
    print(args, "->", call_and_hope(ADD, args))

# %% [markdown]
# Two of the four wrong calls look like results. `'12'` is a text that was glued together, and `True + True` is 2 because Python's `bool` is a kind of `int`:

# %% tags=["given"]
print("isinstance(True, int):", isinstance(True, int))
print("True == 1 == 1.0:     ", True == 1 == 1.0)

# %% [markdown]
# So we write a **validator**: it looks at a value and a schema and lists what is wrong, in sentences that a model can act on. Each begins with the place,
# written as a path: `$` is where we begin, and each key adds `.key`. A value does not know where it came from, so the path is handed in.
#
# **You write** `validate(value, schema, path="$")`, for now with one keyword, `type`. It returns a list of texts, empty where the value fits.
#
# | `type` | fits | | `type` | fits |
# |---|---|---|---|---|
# | `"string"` | a `str` | | `"null"` | `None` |
# | `"integer"` | an `int`, and a `float` without a fraction such as `2.0` | | `"array"` | a `list` |
# | `"number"` | an `int` or a `float` | | `"object"` | a `dict` |
# | `"boolean"` | `True`, `False` | | | |
#
# - `True` and `False` are booleans and nothing else: no integers, no numbers. And a text is never a number: `"3"` does not fit `"integer"`.
# - What does not fit gives one sentence, `{path}: expected type {type}, got {Python's name of the value's type}`, such as
#   `$.add.a: expected type integer, got str`. For `None`, Python's name is `NoneType`.
# - `type` may be a list of names. Then one of them must fit, and the sentence has them all, in the order of the list, joined by ` or `:
#   `expected type string or null, got int`.
# - A schema without `type` fits everything.
# - Values are what JSON can hold, so no tuple and no infinity; names of types are those of the table.
#
# **Don't change** the value; don't raise.
#
# **Done when** each pair of type and value has got the right verdict.

# %% tags=["answer"] exercise="ch02-e2"
def validate(value, schema, path="$"):
    """What is wrong with `value`, each as `path: expected …, got …`; an empty list means that it fits."""
    ### BEGIN SOLUTION
    def is_number(value):
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    fits = {
        "array": lambda value: isinstance(value, list),
        "boolean": lambda value: isinstance(value, bool),
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
    ### END SOLUTION

# %% tags=["demo"] exercise="ch02-e2"
compare(
    lambda: {
        "fits": validate("tools", {"type": "string"}),
        "a_text": validate("3", {"type": "integer"}, "$.add.a"),
        "a_bool": validate(True, {"type": "integer"}, "$.add.a"),
        "a_whole_float": validate(2.0, {"type": "integer"}),
        "two_types": validate(3, {"type": ["string", "null"]}, "$.list_documents.tag"),
    },
    fits=[],
    a_text=["$.add.a: expected type integer, got str"],
    a_bool=["$.add.a: expected type integer, got bool"],
    a_whole_float=[],
    two_types=["$.list_documents.tag: expected type string or null, got int"],
)

# %% tags=["check"] exercise="ch02-e2"
check("ch02-e2", validate)

# %% [markdown]
# ## 3 · Objects: what is missing, what is too much, and where
#
# In September 2026 somebody asked a monitoring server's log tool for failed runs only, with an argument that the tool did not have. The server dropped it without a word
# and returned 200 runs, each of them a success. A second argument was misspelt and dropped as well: the answer covered a day instead of an hour
# ([erikdarlingdata/PerformanceMonitor #3870](https://github.com/erikdarlingdata/PerformanceMonitor/issues/3870)).
#
# The caller had asked a narrower question than was answered, and nothing said so. In Python, a tool that takes `**_` does the same:

# %% tags=["given"]
RUNS = [("backup", "success"), ("report", "success"), ("import", "failure")]


def list_runs(limit=2, **_):
    """The first runs. What else is asked for is dropped."""
    return RUNS[:limit]


print(list_runs(status="failure"))
print(list_runs(limti=3))

# %% [markdown]
# What a model should read instead names every fault at once, each with its path:
#
# ![A path into nested arguments. The call book has desk 7, when, note and, missing, name. Inside when are day, Mon, and hour, the text 9. The path from book through when to hour is marked, with the sentence: $.book.when.hour, expected type integer, got str. Beside the missing name stands: $.book.name, required, but missing.](pictures/ch02-path.svg)
#
# Three helpers come with it. `child` writes a path, `show` writes a value as JSON, and `same` compares as JSON counts: `True` equals neither `1` nor `1.0`,
# while `1` equals `1.0`.

# %% tags=["given"]
from course.jsonable import child, show


def same(one, other):
    """Whether two texts, numbers, booleans or nulls are equal in JSON."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


print(child("$.book", "when"), child("$.book", "last name"))
print(show("Mon"), show(True), show(None), show([1, "a"]))
print(same(1, True), same(1, 1.0), same("1", 1))

BOOK_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "desk": {"type": "integer"},
        "note": {"type": ["string", "null"]},
        "when": {
            "type": "object",
            "properties": {"day": {"enum": ["Mon", "Tue", "Wed"]}, "hour": {"type": "integer"}},
            "required": ["day", "hour"],
        },
    },
    "required": ["name", "desk", "when"],
    "additionalProperties": False,
}

good_booking = {"name": "Ada", "desk": 7, "when": {"day": "Mon", "hour": 9}}
bad_booking = {"when": {"hour": "9", "day": "Sun", "part": 2}, "Name": "Ada", "note": None, "desk": True}

# %% [markdown]
# **You write** `validate` again, with four more keywords. It looks at a value in this order:
#
# 1. `type`, as before. A value of the wrong type has that one error and no other.
# 2. `enum`: a list of texts, numbers, booleans or nulls, one of which the value must be, in the sense of `same`. If it is none:
#    `{path}: expected one of "EUR", "USD", got "XYZ"`, values by `show`, in the order of the list.
# 3. If the value is a dict: each key that it has or that `required` lists, once, in sorted order. The place of a key is `child(path, key)`.
#    - Required and not there: `{place}: required, but missing`.
#    - There, and named in `properties`: whatever `validate` says of its value and its schema, at any depth.
#    - There, not named in `properties`, and the schema says `"additionalProperties": False`: `{place}: unknown key (have: a, b)`, with the sorted names in
#      `properties`, or `none` where there are none.
#    - There, not named, and the schema says `True` or nothing: nothing is wrong with it. That is JSON Schema's rule, so a strict schema must say that it is one.
#
# - All errors are listed, at any depth, in this order, however the keys are ordered in the value and in the schema.
# - Any of the keywords may be absent, at any level. Keywords about keys say nothing of a value that is no dict, such as `5` under
#   `{"properties": {"a": {}}}`.
#
# **Don't change** value and schema; don't raise.
#
# **Done when** the check finds every error of a nested value, each once, in the same order each time.

# %% tags=["answer"] exercise="ch02-e3"
def validate(value, schema, path="$"):
    """What is wrong with `value`, each as `path: …`; an empty list means that it fits."""
    ### BEGIN SOLUTION
    def is_number(value):
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    fits = {
        "array": lambda value: isinstance(value, list),
        "boolean": lambda value: isinstance(value, bool),
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
    ### END SOLUTION

# %% tags=["demo"] exercise="ch02-e3"
def numbered(errors):
    """A list of errors as a dict, so that `compare` can show them one below the other."""
    return {f"error_{n}": error for n, error in enumerate(errors, 1)}


compare(
    lambda: numbered(validate(bad_booking, BOOK_SCHEMA, "$.book")),
    error_1="$.book.Name: unknown key (have: desk, name, note, when)",
    error_2="$.book.desk: expected type integer, got bool",
    error_3="$.book.name: required, but missing",
    error_4='$.book.when.day: expected one of "Mon", "Tue", "Wed", got "Sun"',
    error_5="$.book.when.hour: expected type integer, got str",
)

# %% [markdown]
# The key `part` inside `when` is not in the list: the outer schema is closed, the inner one says nothing. Your errors beside the arguments they belong to:

# %% tags=["given"]
from html import escape


class Marked:
    """Arguments line by line, each with what a validator says of its place."""

    def __init__(self, value, schema, path):
        try:
            said = dict(error.partition(": ")[::2] for error in validate(value, schema, path))
        except NotImplementedError as stub:
            said = {path: f"not written yet ({stub})"}
        places = dict(self.leaves(value, path))
        self.lines = [(place, places.get(place, ""), said.get(place, "")) for place in sorted({*places, *said})]

    def leaves(self, value, path):
        if not isinstance(value, dict):
            yield path, show(value)
        else:
            for key in value:
                yield from self.leaves(value[key], child(path, key))

    def __repr__(self):
        return "\n".join(f"{place:18} {value:8} {error}" for place, value, error in self.lines)

    def _repr_html_(self):
        cell = '<td style="text-align:left;padding:1px 14px 1px 0;font-family:monospace;color:{}">{}</td>'
        rows = ""
        for place, value, error in self.lines:
            colour = "#b3402f" if error else "inherit"
            rows += "<tr>" + "".join(cell.format(colour, escape(text)) for text in (place, value, error)) + "</tr>"
        return f"<table>{rows}</table>"


# %% tags=["demo"] exercise="ch02-e3"
Marked(bad_booking, BOOK_SCHEMA, "$.book")

# %% tags=["check"] exercise="ch02-e3"
check("ch02-e3", validate)

# %% [markdown]
# ## 4 · One name, one tool
#
# In August 2025 a user of the command line tool `llm` had two functions of the same name in two files. Both were accepted. What came back was a long traceback
# that ended in a database: a uniqueness rule of SQLite had been broken while the run was being logged. It took the user far too long, the report says, to
# find out what that had to do with a name ([simonw/llm #1252](https://github.com/simonw/llm/issues/1252)).
#
# A dict does no better. It accepts the second without a word, and the first is gone:

# %% tags=["given"]
SUBTRACT = Tool("add", "Adds two integers.", ADD_SCHEMA, lambda a, b: a - b)

silent = {}
for tool in (ADD, SUBTRACT):
    silent[tool.name] = tool
print("add(5, 3) is", silent["add"].fn(a=5, b=3))

try:
    silent["multiply"]
except KeyError as error:
    print("and an unknown name gives KeyError:", error)

# %% [markdown]
# Two tools under one name are a mistake of the programmer, reported where it is made, as a `ValueError`. An unknown name is a mistake of the model, which
# can be told what there is. For that there is `ToolError`, the exception whose text a model may read (you build it in session 4). `options` are what would
# have been right:

# %% tags=["given"]
from dataclasses import replace

from course.errors import ToolError

print(ToolError("no tool named 'multiply'", options=["echo", "add"]))
print(ToolError("no tool named 'multiply'", options=[]))

# %% [markdown]
# **You write** the class `ToolRegistry`, with four methods. `ToolRegistry()` is empty.
#
# - `register(tool)` adds a `Tool` under its name. If the name is taken, it raises `ValueError` with the name in the text, and the first tool stays.
# - `get(name)` returns the tool. If there is none, it raises `ToolError`, whose text is exactly `no tool named 'multiply' (have: add, echo)`: the name as `repr`
#   shows it, and the names that there are, sorted, or `none`.
# - `names()` returns the names as a sorted list, a new one each time.
# - `manifest()` returns what your `manifest` of exercise 1 makes of the tools.
# - A registry keeps its tools to itself: two registries have nothing in common, and a schema that is changed outside after `register` changes nothing in the
#   registry. (`replace(tool, schema=…)` makes a `Tool` with another schema.)
# - Nobody is called: to register a tool is not to use it.
#
# **Don't change** `Tool` or the names of the methods.
#
# **Done when** the check has registered tools of its own, twice and in any order.

# %% tags=["answer"] exercise="ch02-e4"
class ToolRegistry:
    """The tools of a run, by name."""

    def __init__(self):
        ### BEGIN SOLUTION
        self._tools = {}
        ### END SOLUTION

    def register(self, tool):
        """Add a tool; raises ValueError where its name is taken."""
        ### BEGIN SOLUTION
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is already registered; give one of the two another name")
        self._tools[tool.name] = replace(tool, schema=deepcopy(tool.schema))
        ### END SOLUTION

    def get(self, name):
        """The tool of that name; raises ToolError, which lists the names that there are."""
        ### BEGIN SOLUTION
        if name not in self._tools:
            raise ToolError(f"no tool named {name!r}", options=self._tools)
        return self._tools[name]
        ### END SOLUTION

    def names(self):
        """The names, sorted."""
        ### BEGIN SOLUTION
        return sorted(self._tools)
        ### END SOLUTION

    def manifest(self):
        """What a model is shown."""
        ### BEGIN SOLUTION
        return manifest(self._tools)
        ### END SOLUTION

# %% tags=["demo"] exercise="ch02-e4"
def tried(action):
    """What an action gives, or the exception that it raises, as text."""
    try:
        return action()
    except NotImplementedError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def filled(*tools):
    """A registry with these tools."""
    made = ToolRegistry()
    for tool in tools:
        made.register(tool)
    return made


compare(
    lambda: {
        "names": filled(ECHO, ADD).names(),
        "unknown": tried(lambda: filled(ECHO, ADD).get("multiply")),
        "twice": tried(lambda: filled(ADD, SUBTRACT)).startswith("ValueError"),
        "same_manifest": filled(ECHO, ADD).manifest() == manifest(registry),
    },
    names=["add", "echo"],
    unknown="ToolError: no tool named 'multiply' (have: add, echo)",
    twice=True,
    same_manifest=True,
)

# %% tags=["check"] exercise="ch02-e4"
check("ch02-e4", ToolRegistry)

# %% [markdown]
# ## What you have
#
# **Built:** a manifest, a validator and a registry. Put one behind the other, they are the way of a call that the first picture shows.

# %% tags=["given"]
def guarded_call(tools, name, args):
    """Look up, judge, and only then call: a result, or the list of what is wrong."""
    tool = tools.get(name)
    return validate(args, tool.schema, f"$.{name}") or tool.fn(**args)


compare(
    lambda: {
        "good": guarded_call(filled(ADD), "add", {"a": 1, "b": 2}),
        "bad": guarded_call(filled(ADD), "add", {"b": "2", "c": 3}),
    },
    good=3,
    bad=["$.add.a: required, but missing", "$.add.b: expected type integer, got str", "$.add.c: unknown key (have: a, b)"],
)

# %% [markdown]
# **Measured:** how many wrong bookings reach the tool. Each key of a good one in turn is left out, given a wrong value, and joined by another key.

# %% tags=["given"]
def spoilt(args):
    """Every way to spoil `args` in one place."""
    for key in args:
        yield {other: value for other, value in args.items() if other != key}
        for wrong in (True, "7", 7.5, None, []):
            if type(wrong) is not type(args[key]):
                yield {**args, key: wrong}
        yield {**args, key.upper(): args[key]}


def reached(call):
    """How many of the spoilt bookings get as far as the function, when they are made by `call(tool, args)`."""
    arrived = []
    book = Tool("book", "Books a desk.", BOOK_SCHEMA, lambda **args: arrived.append(args))
    for args in spoilt(good_booking):
        call(book, args)
    return len(arrived)


print("wrong bookings:", len(list(spoilt(good_booking))), " that reach the tool unguarded:", reached(call_and_hope))
compare(lambda: reached(lambda tool, args: guarded_call(filled(tool), tool.name, args)), 0)

# %% [markdown]
# **Not proved:** that a schema tells the truth about its function. The one below forgets that `add` needs `b`, and closes nothing. What it lets through
# fails in the function.

# %% tags=["given"]
LIAR = Tool("liar", "Adds two integers.", {"type": "object", "required": ["a"]}, add)

compare(
    lambda: {
        "one_too_few": tried(lambda: guarded_call(filled(LIAR), "liar", {"a": 1}))[:9],
        "one_too_many": tried(lambda: guarded_call(filled(LIAR), "liar", {"a": 1, "b": 2, "c": 3}))[:9],
    },
    one_too_few="TypeError",
    one_too_many="TypeError",
)

# %% [markdown]
# The course's own `ToolRegistry` therefore holds the two against each other when a tool is registered, and refuses it with an exception. Two of its rules,
# in a few lines: a parameter without a default must be in `required`, and an open schema needs a function that takes `**kwargs`. Later sessions use that
# registry.

# %% tags=["given"]
from inspect import Parameter, signature


def disagreement(tool):
    """Where schema and function contradict each other, or None."""
    parameters = signature(tool.fn).parameters.values()
    for parameter in parameters:
        needed = parameter.default is Parameter.empty and parameter.kind is not Parameter.VAR_KEYWORD
        if needed and parameter.name not in tool.schema.get("required", []):
            return f"the function needs {parameter.name!r}, but the schema does not require it"
    takes_any = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters)
    if not takes_any and tool.schema.get("additionalProperties", True) is not False:
        return "the schema lets any key through, but the function does not"
    return None


open_schema = {"type": "object", "required": ["a", "b"]}
for tool in (ADD, LIAR, Tool("open", "Adds two integers.", open_schema, add), Tool("any", "Lists runs.", {}, list_runs)):
    print(f"{tool.name:5}", disagreement(tool))

# %% [markdown]
# **Next**, session 3, puts in front of the registry what asks for tools: a model. It will be a function like any other, which follows a script. It begins with
# the course's own version of what you have just written:
#
# ```python
# from course.schema import validate
# from course.tool import Tool
# from course.tools import ToolRegistry
# ```
