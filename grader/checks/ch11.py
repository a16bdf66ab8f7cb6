"""Session 11, the same tools over MCP: the list, a call, the wire, and a server that answers as the loop does."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from course.calls import call_tool
from course.errors import ToolError, UnavailableError
from course.jsonable import why_not_json
from course.schema import DRAFT
from course.stdio import Noisy, Wire
from course.tool import Tool
from course.tools import ToolRegistry, UnknownToolError
from grader.engine.exercise import Session
from grader.engine.expect import Failure, Seen, expect, expect_raises, show
from grader.engine.student import Student
from grader.engine.world import CountedTool, Misprint, World

session = Session("ch11", "The same tools over MCP", builds=("course.mcp_server",))

Schema = dict[str, Any]

SAME_SCHEMA = "what a client is shown is what its arguments are judged by"
OWN_ONLY = "a tool whose name begins with an underscore is the loop's own"
NOT_YOURS = "the loop goes on with the same tools"
NO_DEFECT = "what a defect says is for its operator, and may hold anything"
INTERNAL = (-32603, "Internal server error")


def _offer(world: World, tool: CountedTool, schema: Schema, more: str = "") -> Tool:
    """`tool` with `schema`, also under its name among the world's contracts; `more` ends its description."""
    made = Tool(tool.name, f"Answers for {tool.name}: {world.words()}.{more}", schema, tool)
    world.contracts[tool.name] = made
    return made


def _schema(world: World) -> Schema:
    """An object schema that no signature could tell: descriptions, limits, a default, an array of objects."""
    one, two, three = world.distinct_words(3)
    choices = world.distinct_words(3)
    inner = {"type": "object", "properties": {three: {"type": ["string", "null"]}}, "required": [three]}
    properties = {
        two: {"type": "integer", "minimum": world.number(1, 9), "description": world.words()},
        one: {"type": "array", "items": inner, "maxItems": world.number(2, 9)},
        f"{one}_{two}": {"type": "string", "enum": choices, "default": choices[1]},
    }
    return {"type": "object", "properties": properties, "required": [two], "additionalProperties": False}


def _deep_schema(world: World) -> Schema:
    """An object schema with every keyword that a copy could forget, and lists in dicts in lists."""
    one, two, three = world.distinct_words(3)
    row = {"type": "object", "properties": {one: {"enum": [{three: [1, {"x": [world.word()]}]}, None]}}, "required": []}
    properties = {
        two: {"type": "array", "items": {"type": "array", "items": row}},
        one: {"type": "object", "additionalProperties": {"type": ["string", "null"], "default": world.words()}},
    }
    return {
        "$schema": DRAFT, "title": world.words(), "description": f" {world.words()}\n", "type": "object",
        "properties": properties, "required": [two, one], "examples": [{one: {}, two: [[]]}],
    }  # fmt: skip


def _own(world: World, underscores: str = "_") -> CountedTool:
    """A tool of the loop's own."""
    return world.tool(name=f"{underscores}{world.name()}")


def _names(world: World) -> list[str]:
    """Twelve names of all kinds, in an order that is not the sorted one."""
    name, other = world.name(), world.name()
    made = [
        f"{name}-10", f"{name}-9", name.upper(), other.title(), f"{name}__x", f"{name}_", "7", f"9{other}", "x", "Z-",
        "b", "B",
    ]  # fmt: skip
    world.rng.shuffle(made)
    return made if made != sorted(made) else made[::-1]


def _unchanged(tools: Any, world: World) -> None:
    """The dict of tools that was handed over is what it was: names, order, schemas."""
    now = tools.copy()
    expect(Seen(list(now.plain), "the names in the registry")).equals(list(world.contracts), because=NOT_YOURS)
    for name, tool in world.contracts.items():
        expect(Seen(now.plain[name].schema, f"the schema of {name} in the registry")).equals(
            tool.schema, because=NOT_YOURS
        )


def _backwards(tools: dict[str, Tool]) -> dict[str, Tool]:
    """The same tools, registered in an order that is not the sorted one."""
    return dict(sorted(tools.items(), reverse=True))


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch11-e1",
    "The list of tools",
    provides=["list_tools"],
    hints=[
        "A `Tool` has five fields. Which three may a client see, and which of them has another name on the wire?",
        "The schema that you hand out is a dict with dicts in it. Who else holds it?",
    ],
)


@e1.case("each tool is its name, its description and its schema as `inputSchema`", points=2)
def listed(student: Student, world: World) -> None:
    schemas = (_schema(world), _deep_schema(world), {"type": "object"}, {"type": "object", "required": []})
    made = [_offer(world, world.tool(), schema, f"\n\n{'Übung ' * 50}\n ") for schema in schemas]
    found = student.list_tools(world.contracts)
    expect(found).has_length(len(made), because="each tool is listed once, be it without arguments")
    for entry, tool in zip(found, sorted(made, key=lambda tool: tool.name), strict=True):
        expect(entry).has_keys("name", "description", "inputSchema", because="these are the names on the wire")
        expect(entry["name"]).equals(tool.name)
        expect(entry["description"]).equals(tool.description, because="the model reads all of it")
        expect(entry["inputSchema"]).equals(tool.schema, because=SAME_SCHEMA)


@e1.case("sorted by name, in whatever order they were registered")
def in_order(student: Student, world: World) -> None:
    for name in _names(world):
        _offer(world, world.tool(name=name), {"type": "object"})
    expect(student.list_tools(world.contracts).each("name")).equals(
        sorted(world.contracts), because="the same registry gives the same list, whoever filled it and when"
    )


@e1.case("a tool whose name begins with an underscore is not listed")
def own_tools(student: Student, world: World) -> None:
    for tool in (_own(world), world.tool(), _own(world, "__"), world.tool(name=f"{world.name()}_")):
        _offer(world, tool, _schema(world))
    tools = student.hold(world.contracts)
    seen = student.list_tools(tools).each("name")
    expect(seen).equals(sorted(name for name in world.contracts if name[0] != "_"), because=OWN_ONLY)
    _unchanged(tools, world)


@e1.case("what is listed shares nothing with the tools")
def copies(student: Student, world: World) -> None:
    tool = _offer(world, world.tool(), _deep_schema(world))
    tools = student.hold(world.contracts)
    _empty(student.list_tools.kept(tools).item(0).item("inputSchema"), tool.schema)
    because = "whoever changes a list must not change what arguments are judged by"
    expect(student.list_tools(tools)[0]["inputSchema"]).equals(tool.schema, because=because)
    _unchanged(tools, world)


def _empty(remote: Any, schema: Any) -> None:
    """Empty a schema that a student has handed out: each list and each dict in it, from the innermost on."""
    for key, item in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if isinstance(item, dict | list):
            _empty(remote.item(key), item)
    remote.method("clear")


@e1.case("each list is of the tools that there are at that moment")
def fresh(student: Student, world: World) -> None:
    expect(student.list_tools({})).equals([], because="no tools are an empty list")
    for count in (1, 2):
        _offer(world, world.tool(), _schema(world))
        expect(student.list_tools(world.contracts)).has_length(count, because="a tool may be registered later")
    tools, because = student.hold(world.contracts), "a tool may change, and keep its name"
    for _ in range(2):
        name = world.rng.choice(sorted(world.contracts))
        tools.method("__setitem__", name, _offer(world, world.tools[name], _schema(world)))
        for given in (tools, world.contracts):
            found = student.list_tools(given)
            for entry, (_, tool) in zip(found, sorted(world.contracts.items()), strict=True):
                expect(entry["description"]).equals(tool.description, because=because)
                expect(entry["inputSchema"]).equals(tool.schema, because=because)
    expect(world.ledger.calls()).equals(0, because="a list calls no tool")


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch11-e2",
    "A call, and how it ends",
    provides=["call_tool"],
    hints=[
        "Who can do better next time: the model, the program that asked, or the author of the tool? Which of the three "
        "does each failure concern?",
        "`run_tool` raises `UnknownToolError`, and that is a `ToolError` too. Which `except` comes first?",
        "A defect raises whatever it likes, with whatever it likes in its text. How much of it does your message need?",
    ],
)


def _open(world: World, *tools: CountedTool) -> dict[str, Tool]:
    """These tools, with a schema that lets everything through."""
    return {tool.name: world.contract(tool) for tool in tools}


@e2.case("a result is its JSON as text, and a text is itself", points=2)
def results(student: Student, world: World) -> None:
    word = world.words()
    for value, text in (
        (word, word),
        (f'"{word}"', f'"{word}"'),
        ("", ""),
        (391, "391"),
        (1.0, "1.0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ([], "[]"),
        (f"Error: {word}", f"Error: {word}"),
        (f" {word}\n\t", f" {word}\n\t"),
        (f'{{"error": "{word}"}}', f'{{"error": "{word}"}}'),
        (word * 300, word * 300),
        (["Übung", None, word], f'["Übung", null, "{word}"]'),
    ):
        tool = world.tool(world.outcomes(value))
        reply = student.call_tool(_open(world, tool), tool.name, {})
        expect(reply).has_keys("content", "isError", because="a result that is no object has these two keys")
        expect(reply["content"]).equals(
            [{"type": "text", "text": text}], because="the text is the value's JSON, and a text has no quotes around it"
        )
        expect(reply["isError"]).equals(False, because="it is a result, whatever it says")


@e2.case("an object comes as `structuredContent` too")
def objects(student: Student, world: World) -> None:
    for value in (
        {},
        {"tide": world.words(), "rows": [1, 1.0, None, {"ok": True}]},
        {"error": world.words(), "isError": True, "none": None, "Übung": " "},
    ):
        tool = world.tool(world.outcomes(value))
        reply = student.call_tool(_open(world, tool), tool.name, {})
        expect(reply).has_keys("content", "structuredContent", "isError")
        expect(reply["structuredContent"]).equals(value)
        expect(reply["content"]).equals([{"type": "text", "text": json.dumps(value, ensure_ascii=False)}])
        expect(reply["isError"]).equals(False, because="it is a result, whatever it says")


@e2.case("the tool is called once, with the arguments as they came")
def called_once(student: Student, world: World) -> None:
    tool = world.tool()
    _offer(world, tool, _schema(world))
    number = next(name for name, rule in world.contracts[tool.name].schema["properties"].items() if "minimum" in rule)
    fitting = {number: world.number(10, 99)}
    reply = student.call_tool(world.contracts, tool.name, fitting)
    expect(reply["isError"]).equals(False)
    expect(world.ledger.arguments(tool)).equals([fitting], because="a missing argument is the tool's own affair")
    tool, _ = world.tool(), _own(world)
    tools = student.hold(_open(world, *world.tools.values()))
    args: dict[str, Any] = {
        "n": 3.0,
        "topic": "  Übung ",
        "none": None,
        "": "",
        "a-b": [1, None, {"deep": [True]}],
        "Z": {},
    }
    given = student.hold(args)
    for times in (1, 2):
        student.call_tool(tools, tool.name, given)
        expect(given.copy()).equals(args, because="they are the caller's, who writes them down")
        expect(world.ledger.calls(tool)).equals(times, because="who asks twice wants it done twice")
    expect(world.ledger.arguments(tool)).equals([args, args], because="none is left out, and none is mended")
    _unchanged(tools, world)


class NothingFoundError(ToolError):
    """A refusal of the check's own."""


@e2.case("a ToolError is a result that is marked as an error", points=2)
def refused(student: Student, world: World) -> None:
    word = world.words()
    for error in (
        ToolError(word),
        ToolError("archive", f"nothing about {word!r}", ["tides", "salt"]),
        UnavailableError(word),
        NothingFoundError(f" {word}: Übung\n\n{word * 30} "),
        ToolError(""),
    ):
        tool = world.tool(after=0, error=error)
        reply = student.call_tool(_open(world, tool), tool.name, {"topic": word})
        expect(reply).has_keys("content", "isError")
        expect(reply["isError"]).equals(True, because="the flag is the signal: a text that begins with `Error` is none")
        expect(reply["content"]).equals([{"type": "text", "text": str(error)}], because="the model can act on it")
        expect(world.ledger.calls(tool)).equals(1, because="a refusal is not tried again")


@e2.case("arguments that do not fit are such a result, and nothing is called")
def unfit(student: Student, world: World) -> None:
    tool = world.tool()
    world.contract(tool, page="integer", topic="string")
    wrong: list[tuple[dict[str, Any], list[str]]] = [
        ({"page": "1", "topic": "x"}, [f"$.{tool.name}.page: expected type integer, got str"]),
        ({"page": True, "topic": "x"}, [f"$.{tool.name}.page: expected type integer, got bool"]),
        ({"page": 1, "topic": None}, [f"$.{tool.name}.topic: expected type string, got NoneType"]),
        ({"page": 1, "topic": "x", "extra": None}, [f"$.{tool.name}.extra: unknown key (have: page, topic)"]),
        ({}, [f"$.{tool.name}.page: required, but missing", f"$.{tool.name}.topic: required, but missing"]),
    ]
    for args, problems in wrong:
        reply = student.call_tool(world.contracts, tool.name, args)
        expect(world.ledger.calls()).equals(0, because="arguments are judged before the call")
        expect(reply).has_keys("content", "isError")
        expect(reply["isError"]).equals(True, because="a model can mend its arguments, if it is told")
        expect(reply["content"]).equals([{"type": "text", "text": f"invalid arguments: {'; '.join(problems)}"}])


@e2.case("what JSON cannot hold is such a result")
def unrecordable(student: Student, world: World) -> None:
    for value in (float("nan"), {1, 2}, {"rows": [float("inf")]}, {"a": {1: "b"}}, ["\ud800"], b"x"):
        tool = world.tool(lambda value=value, **_: value)
        reply = student.call_tool(_open(world, tool), tool.name, {})
        expect(reply).has_keys("content", "isError")
        expect(reply["isError"]).equals(True, because="a client cannot read `NaN`: it is no JSON")
        text = f"tool {tool.name!r} returned what JSON cannot hold: {why_not_json(value)}"
        expect(reply["content"]).equals([{"type": "text", "text": text}])
        expect(world.ledger.calls(tool)).equals(1, because="what it has done is done: a second call does it again")


@e2.case("an unknown name is error -32602, and lists the names that a client may call")
def unknown(student: Student, world: World) -> None:
    name = world.tool().name
    for other in _names(world):
        world.tool(name=other)
    shown = ", ".join(sorted(world.tools))
    tools = _open(world, *world.tools.values(), _own(world), _own(world, "__"))
    for asked in (world.name(), f"{name} ", name.swapcase(), name[:-1], name.replace("_", "-"), ""):
        with expect_raises(Exception, named="McpError", because="nothing was called, so there is no result") as raised:
            student.call_tool(tools, asked, {})
        expect(raised.text).equals(f"-32602: no tool named {asked!r} (have: {shown})")
        expect(world.ledger.calls()).equals(0, because="a name that is nearly right is wrong")


@e2.case("a tool whose name begins with an underscore is unknown, and is not called", points=2)
def not_served(student: Student, world: World) -> None:
    own, other, another = _own(world), world.tool(), _own(world, "__")
    tools = _open(world, own, other, another)
    because = "a tool that is only left out of the list can still be called by whoever guesses its name"
    for name in (own.name, another.name):
        with expect_raises(Exception, named="McpError", because=because) as raised:
            student.call_tool(tools, name, {})
        expect(world.ledger.calls()).equals(0, because=because)
        expect(raised.text).equals(f"-32602: no tool named {name!r} (have: {other.name})", because=OWN_ONLY)


_DEFECTS = (
    Misprint, KeyError, TypeError, ValueError, RuntimeError, OSError, IndexError, LookupError, AttributeError,
    TimeoutError, PermissionError, ConnectionError, AssertionError, ZeroDivisionError, ArithmeticError,
    NotImplementedError, RecursionError, MemoryError, StopIteration, UnicodeError, ImportError, NameError, EOFError,
    BufferError, Exception,
)  # fmt: skip


@e2.case("a defect is error -32603 and says nothing of itself", points=2)
def defect(student: Student, world: World) -> None:
    for kind in _DEFECTS:
        secret = world.secret()
        tool = world.tool(after=0, error=kind(secret))
        with expect_raises(Exception, named="McpError", because=NO_DEFECT) as raised:
            student.call_tool(_open(world, tool), tool.name, {})
        expect(raised.text).lacks(secret, "Traceback", because=NO_DEFECT)
        expect(raised.text).equals("-32603: Internal server error", because=NO_DEFECT)
        expect(world.ledger.calls(tool)).equals(1, because="a defect is not tried again")


@e2.case("an McpError that a tool raises is a defect of the tool")
def defect_of_a_server(student: Student, world: World) -> None:
    secret = world.secret()
    # The student's own call_tool as a tool: `__call__` twice, since a wrapper takes whatever arguments it is given.
    serving = student.call_tool.kept_attribute("__call__").kept_attribute("__call__")
    tool = Tool(
        world.name(), "Calls a tool of another server.", {"type": "object"}, serving.shown_as("<your call_tool>")
    )
    because = "its text is about another server's tools"
    with expect_raises(Exception, named="McpError", because=because) as raised:
        student.call_tool({tool.name: tool}, tool.name, {"tools": {}, "name": secret, "args": {}})
    expect(raised.text).equals("-32603: Internal server error", because=because)


@e2.case("an interrupt is no defect, and comes through")
def interrupts(student: Student, world: World) -> None:
    for kind in (KeyboardInterrupt, SystemExit):
        error = kind(world.words())
        tool = world.tool(after=0, error=error)
        because = "it is for whoever runs the server, and ends it"
        with expect_raises(kind, because=because) as raised:
            student.call_tool(_open(world, tool), tool.name, {})
        raised.is_the(error, because=because)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch11-e3",
    "Nothing but messages",
    provides=["serve_lines"],
    hints=[
        "Who else in this process can write to descriptor 1 while `answer` runs, and does Python's `print` know of it?",
        "`os.dup(1)` gives a second descriptor for the wire. Once you hold it, where may descriptor 1 lead, and who "
        "puts it back when `answer` raises?",
        "A text can wait in the buffer of the `sys.stdout` that was there before. Where does descriptor 1 lead when it "
        "leaves: have you decided, or does it happen?",
    ],
)

ONLY_MESSAGES = "a client reads each line of stdout as a message, and ends the connection at one that is none"
AFTERWARDS = "what the process prints later is its own affair again"
NOT_LOST = "what a tool prints is for whoever runs the server, who reads stderr"


_PRINTING = ("print", "sys.stdout", "descriptor", "held")  # the ways to print that must not reach the wire


class _Session:
    """One run of a student's server on a wire, with an answer that prints: what came of it.

    ways: how it prints for each request, in another order and other words each time.
    requests, replies: what the client sends, and the reply to each, in order.
    error: what the answer raises at the second request. says: what it prints; without it, random words.
    """

    def __init__(
        self,
        world: World,
        ways: Sequence[str] = (),
        requests: Sequence[str] = (),
        replies: Sequence[str | None] = (),
        error: BaseException | None = None,
        says: Callable[[], str] | None = None,
        last_way: str = "",
    ) -> None:
        self._world, self._ways, self._last_way, self._error = world, ways, last_way, error
        self._says = says or self._awkward_words
        self.requests = [*requests] or [f"{world.words()} {number}" for number in range(3)]
        self.replies = [*replies] or [json.dumps({"reply": world.words()}) for _ in self.requests]
        self.tool = world.tool(self._reply)
        self.printed: list[str] = []
        self._noisy = self._answered = 0
        self.trouble = ""
        self.mark = world.words()
        self.out = self.err = self.asked = self.heard = Seen(None, "nothing was served")

    def _awkward_words(self) -> str:
        return f"  {self._world.words()} – Übung\t "

    def _noise(self, _request: str) -> dict[str, str]:
        """What is printed for a request: nobody can know it without having called the answer."""
        self._noisy += 1
        rng, ways = self._world.rng, list(self._ways)
        noise = {way: self._says() for way in rng.sample(ways, len(ways))}
        self.printed += noise.values()
        if self._noisy == len(self.requests) and self._last_way:
            noise[self._last_way] = self._world.words()
        return noise

    def _reply(self, _request: str) -> str | None:
        self._answered += 1
        if self._error is not None and self._answered == 2:
            raise self._error
        return self.replies[min(self._answered, len(self.replies)) - 1]

    @contextmanager
    def on(self, student: Student) -> Iterator[tuple[Any, Any]]:
        """(a wire, open where the student's code runs, and the answer); what was caught is here afterwards."""
        wire = student.hold(Wire(self.requests))
        answer = student.hold(Noisy(self.tool, self._noise)).kept_method("as_function")
        wire.method("open")
        try:
            yield wire, answer.shown_as(f"<an answer, noisy by {', '.join(self._ways) or 'nothing'}>")
        finally:
            called, first = student.last_call, student.first_entry
            caught = wire.method("close", self.mark)
            student.last_call, student.last_value, student.first_entry = called, None, first
        self.trouble = caught["trouble"].plain
        self.out, self.err = Seen(caught["stdout"].plain, "stdout"), Seen(caught["stderr"].plain, "stderr")
        self.asked = Seen(caught["asked"].plain, "stdout at each request")
        self.heard = Seen(caught["heard"].plain, "stderr at each request")

    def served(self, student: Student, world: World, because: str) -> "_Session":
        """Let the student serve all of it, and look at both streams."""
        with self.on(student) as (wire, answer):
            student.serve_lines(wire, answer)
        expect(world.ledger.given(self.tool)).equals(self.requests, because="each request is answered once, in turn")
        self.holds(*self.replies, because=because)
        return self

    def holds(self, *replies: str | None, because: str) -> None:
        """On stdout are the replies, and then the mark, printed and written to the descriptor; all else is on stderr.

        What was printed is on stderr line by line, unchanged, and the mark is there as well.
        """
        lines = [line for line in replies if line is not None]
        expect(self.out).equals("".join(f"{line}\n" for line in (*lines, self.mark, self.mark)), because=because)
        if self.trouble:
            raise Failure("sys.stdout and sys.stderr as they were, and open", self.trouble, AFTERWARDS)
        seen = self.err.plain.split("\n")
        for text in [*self.printed, self.mark]:
            times = 2 if text == self.mark else self.printed.count(text)
            if seen.count(text) != times:
                got = f"{seen.count(text)} of them: {show(self.err.plain)}"
                raise Failure(f"{times} times the line {show(text)} on stderr", got, NOT_LOST)


def _only_messages(
    student: Student, world: World, *ways: str, because: str = ONLY_MESSAGES, says: Callable[[], str] | None = None
) -> _Session:
    return _Session(world, ways, says=says).served(student, world, because)


@e3.case("each reply is a line on stdout, in order, and no reply is no line")
def replies(student: Student, world: World) -> None:
    because = "replies go to stdout, and afterwards it is again what it was"
    _Session(world).served(student, world, because)
    word, request = world.words(), world.words()
    requests = [request, request, "", f"  {world.words()}\t", " ", f"Übung {word}", *(world.words() for _ in range(6))]
    made = [
        f'{{"id":1,  "x": "{word}"}}', None, word, word, "", f" {word} ", f"Übung – {word} 深", "[1]", "None",
        "é" * 5000, f'{{"id":1,  "x": "{word}"}}', f"{word} ",
    ]  # fmt: skip
    because = "a reply goes out as it is, whatever its look, and a notification has none, not even `None`"
    _Session(world, (), requests, made).served(student, world, because)


@e3.case("a reply is on the wire before the next request is read")
def at_once(student: Student, world: World) -> None:
    run = _Session(world).served(student, world, "each reply is a line")
    due = ["".join(f"{reply}\n" for reply in run.replies[:n]) for n in range(3)]
    expect(run.asked).equals(
        due, because="a client waits for its reply before it asks again, and both would wait for ever"
    )


@e3.case("what is printed goes to stderr, and nothing but replies to stdout", points=2)
def prints(student: Student, world: World) -> None:
    for way in ("print", "sys.stdout"):
        _only_messages(student, world, way)


@e3.case("so does what looks like a message")
def looks_like_one(student: Student, world: World) -> None:
    def message() -> str:
        return json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": False, "x": world.words()}})

    _only_messages(student, world, "print", because="whether a line is a reply, its look cannot tell", says=message)


@e3.case("so does what is written to descriptor 1, as code in C does", points=2)
def below_python(student: Student, world: World) -> None:
    run = _only_messages(student, world, "descriptor")
    due = ["".join(f"{text}\n" for text in run.printed[:n]) for n in range(3)]
    for heard, texts in zip(run.heard, due, strict=True):
        expect(heard).contains(texts, because="it is there while the server runs, which may be for days")


@e3.case("so does what is left in the buffer of the stdout from before")
def left_in_a_buffer(student: Student, world: World) -> None:
    _only_messages(student, world, "held")


@e3.case("stderr stays open to those who use it")
def stderr_open(student: Student, world: World) -> None:
    _only_messages(student, world, "stderr", *_PRINTING)


@e3.case("stdout is afterwards what it was, even if a tool left something else there")
def put_back(student: Student, world: World) -> None:
    _Session(world, _PRINTING, last_way="replaced").served(student, world, AFTERWARDS)


@e3.case("an exception comes through, and stdout is what it was")
def breaks(student: Student, world: World) -> None:
    because = "`serve_lines` is not the one to judge a defect: it comes through as it was raised"
    for kind in (RuntimeError, Misprint, ValueError, ToolError, KeyboardInterrupt, SystemExit):
        error = kind(world.words())
        run = _Session(world, ("print", "descriptor", "held"), error=error)
        with run.on(student) as (wire, answer), expect_raises(kind, because=because) as raised:
            student.serve_lines(wire, answer)
        raised.is_the(error, because=because)
        expect(world.ledger.calls(run.tool)).equals(2, because="a defect ends it")
        run.holds(run.replies[0], because=AFTERWARDS)


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch11-e4",
    "Parity",
    provides=["handle"],
    hints=[
        "A call comes in by the loop, and the same call over the wire. From which line of code on should they go the "
        "same way?",
        "The wire is text. Which function turns a line into data, and does 1.0 come out of it as 1.0?",
        "Three things can go wrong in `handle` itself: another method, an `McpError`, a line end inside the reply. "
        "What does `json.dumps` do about the third?",
    ],
)

PARITY = "the loop and the wire are two doors to one room: the same call ends in the same way"


def _report(n: int, unit: str = "km", scale: float = 1.0) -> dict[str, Any]:
    return {"n": n, "unit": unit, "scaled": n * scale}


def _half(n: float) -> float:
    return n / 2


def _line(text: str, times: int = 2) -> str:
    return "\n".join([text] * times)


def _echo(value: Any = None) -> Any:
    return [value]


def _row(value: Any = None) -> dict[str, Any]:
    return {"value": value, "none": None}


def _refuse(topic: str) -> None:
    raise ToolError("archive", f"nothing about {topic!r}", ["tides", "salt"])


def _break(topic: str) -> None:
    raise KeyError(topic)


_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_KINDS: list[tuple[Any, Schema, list[str]]] = [
    (_report, {"n": _WHOLE, "unit": {**_TEXT, "default": "km"}, "scale": {"type": "number", "default": 1}}, ["n"]),
    (_half, {"n": {"type": "number", "maximum": 10**22}}, ["n"]),
    (_line, {"text": _TEXT, "times": {**_WHOLE, "minimum": 1, "maximum": 3, "default": 2}}, ["text"]),
    (_echo, {"value": {}}, []),
    (_refuse, {"topic": _TEXT}, ["topic"]),
    (_break, {"topic": _TEXT}, ["topic"]),
    (_row, {"value": {}}, []),
]


class _Room:
    """The same functions twice: as counted tools for the student, and in a registry for the loop."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.reached: list[dict[str, Any]] = []
        public = []
        for fn, properties, required in _KINDS:
            tool = world.tool(fn)
            schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
            _offer(world, tool, schema)
            public.append(Tool(tool.name, "The same tool.", schema, self._noted(fn)))
        self.own = _offer(world, _own(world), {"type": "object"}).name
        self.loop = ToolRegistry(public)
        self.tools = world.contracts  # in the order of `_KINDS`, and the loop's own last

    def _noted(self, fn: Any) -> Any:
        def noted(**args: Any) -> Any:
            self.reached.append(args)
            return fn(**args)

        return noted

    def calls(self, count: int) -> list[tuple[str, dict[str, Any]]]:
        """So many calls in random order: some that are always among them, and generated ones."""
        report, half, line, echo, refuse, broken, row = list(self.tools)[:7]
        word, long = self.world.words(), self.world.rng.uniform(1, 2) / 3
        always: list[tuple[str, dict[str, Any]]] = [
            (report, {"n": 3}),
            (report, {"n": 3.0, "scale": 2}),
            (report, {"n": True}),
            (report, {"n": "3"}),
            (report, {"n": 3, word: 1}),
            (half, {"n": long}),
            (half, {"n": 7}),
            (line, {"text": word}),
            (echo, {"value": [1, 1.0, None]}),
            (echo, {}),
            (refuse, {"topic": word}),
            (broken, {"topic": word}),
            (row, {}),
            (row, {"value": {"x": 0.1 + 0.2, "Übung": [None, 10**25]}}),
            (report.upper(), {"n": 3}),
            (f"{report} ", {"n": 3}),
            (self.own, {}),
            (self.world.name(), {"n": 3}),
        ]
        made = [*always, *(self._some_call() for _ in range(count - len(always)))]
        self.world.rng.shuffle(made)
        return made

    def _some_call(self) -> tuple[str, dict[str, Any]]:
        """A tool, and arguments that mostly fit."""
        rng, world = self.world.rng, self.world
        name = rng.choice(self.loop.names())
        numbers: list[Any] = [world.number(-99, 99), 1.0, 2.5, rng.random(), -0.0, 1e-7, 1e22, 10**22, 10**25, True]
        odd: list[Any] = [None, "3", "", world.words(), "Übung\n2", [1, 1.0, None], {"deep": {"1": [True]}}, False]
        args: dict[str, Any] = {}
        for key, rule in self.tools[name].schema["properties"].items():
            if rng.random() < 0.2:
                continue
            fitting = odd[1:5] if rule.get("type") == "string" else numbers
            args[key] = rng.choice(fitting if rule and rng.random() < 0.85 else odd + numbers)
        return name, args

    def ends(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """How the loop's own way ends this call, as the wire tells it."""
        try:
            value = call_tool(self.loop, name, args)
        except UnknownToolError as error:
            return {"error": {"code": -32602, "message": str(error)}}
        except ToolError as error:
            return {"result": {"content": [{"type": "text", "text": str(error)}], "isError": True}}
        except Exception:
            return {"error": {"code": INTERNAL[0], "message": INTERNAL[1]}}
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        more = {"structuredContent": value} if isinstance(value, dict) else {}
        return {"result": {"content": [{"type": "text", "text": text}], **more, "isError": False}}


def _request(number: int | str, method: str, params: dict[str, Any] | None = None) -> str:
    made = {"jsonrpc": "2.0", "id": number, "method": method}
    return json.dumps(made if params is None else {**made, "params": params}, ensure_ascii=False)


def _message(line: Seen) -> Seen:
    """The message that a reply holds."""
    if not isinstance(line.plain, str) or len(line.plain.splitlines()) != 1 or line.plain[-1] in "\r\n":
        raise Failure("a text of one line, without its line end", show(line.plain), "the line end ends the message")
    try:
        return Seen(json.loads(line.plain, parse_constant=_no_constant), "the reply")
    except ValueError:
        raise Failure("a line of JSON", show(line.plain), "a client reads each line as JSON") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _asked(student: Student, tools: Any, number: int | str, name: str, args: dict[str, Any]) -> Seen:
    return _message(student.handle(tools, _request(number, "tools/call", {"name": name, "arguments": args})))


@e4.case("fifty generated calls end over the wire as they end in the loop", points=3)
def parity(student: Student, world: World) -> None:
    room = _Room(world)
    tools = student.hold(room.tools)
    for number, (name, args) in enumerate(room.calls(50)):
        reply = _asked(student, tools, number, name, args)
        expect(reply).equals({"jsonrpc": "2.0", "id": number, **room.ends(name, args)}, because=PARITY)


@e4.case("and reach the tools as often, with the same arguments", points=2)
def reached(student: Student, world: World) -> None:
    room = _Room(world)
    tools, echo = student.hold(room.tools), list(room.tools)[3]
    again = [(echo, {"value": [1]})] * 3
    for number, (name, args) in enumerate([*room.calls(25), *again]):
        _asked(student, tools, number % 2, name, args)  # two ids for all, and twice the very same line
        room.ends(name, args)
    expect(world.ledger.arguments()).equals(
        room.reached, because="an argument that was left out is filled in by the tool's own signature, at both doors"
    )


@e4.case("numbers arrive as they were sent, and come back as the tool gave them")
def numbers(student: Student, world: World) -> None:
    for value in (1, 1.0, True, 0, False, 0.1 + 0.2, 1e22, 10**25, -0.0, world.number(10**17, 10**18), 1e-7):
        tool = world.tool(lambda n: n)
        made = _offer(world, tool, {"type": "object", "properties": {"n": {}}, "required": ["n"]})
        reply = _asked(student, {tool.name: made}, 1, tool.name, {"n": value})
        expect(world.ledger.arguments(tool)).equals([{"n": value}], because="1, 1.0 and true are three values")
        expect(reply["result"]["content"]).equals([{"type": "text", "text": json.dumps(value)}])


@e4.case("a reply carries the id of its request, number or text")
def ids(student: Student, world: World) -> None:
    tool, broken = world.tool(), world.tool(after=0, error=KeyError(world.secret()))
    tools = _open(world, tool, broken)
    for number in (0, world.number(1, 10**9), world.words(), "1", " Übung\n ", "", 10**25, -1):
        for name in (tool.name, broken.name, world.name()):
            reply = _asked(student, tools, number, name, {})
            expect(reply["id"]).equals(number, because="by the id alone a client knows which request was answered")
            expect(reply["jsonrpc"]).equals("2.0")


@e4.case("an error is an error and no result, and tells nothing of a defect")
def errors(student: Student, world: World) -> None:
    secret, other = world.secret(), world.tool()
    broken = world.tool(after=0, error=RuntimeError(secret))
    tools = _open(world, other, broken)
    reply = student.handle(tools, _request(1, "tools/call", {"name": broken.name, "arguments": {}}))
    expect(reply).lacks(secret, because=NO_DEFECT)
    expect(_message(reply)).equals(
        {"jsonrpc": "2.0", "id": 1, "error": {"code": INTERNAL[0], "message": INTERNAL[1]}}, because=NO_DEFECT
    )
    reply = _asked(student, tools, 2, other.name, {"topic": world.word()})
    expect(reply["result"]["isError"]).equals(False, because="a server outlives a defect of one tool")


@e4.case("arguments that were left out are none")
def left_out(student: Student, world: World) -> None:
    tool = world.tool()
    reply = student.handle(_open(world, tool), _request(1, "tools/call", {"name": tool.name}))
    expect(_message(reply)["result"]["isError"]).equals(False)
    expect(world.ledger.arguments(tool)).equals([{}])


@e4.case("tools/list is the list of exercise 1, and any other method is error -32601")
def methods(student: Student, world: World) -> None:
    _offer(world, world.tool(), _schema(world))
    tool = _offer(world, world.tool(), {"type": "object"})
    _offer(world, _own(world), {"type": "object"})
    for params in (None, {}, {"cursor": None}):
        tools = student.hold(world.contracts)
        entries = [
            {"name": name, "description": one.description, "inputSchema": one.schema}
            for name, one in sorted(world.contracts.items())
            if name[0] != "_"
        ]
        reply = _message(student.handle(tools, _request(7, "tools/list", params)))
        expect(reply).equals({"jsonrpc": "2.0", "id": 7, "result": {"tools": entries}})
        _unchanged(tools, world)
        _offer(world, world.tool(), _schema(world))
    word, call = world.word(), {"name": tool.name, "arguments": {}}
    nearly = ("tools/list ", "Tools/List", "tools/lists", f"{word}/tools/list", "list", "tools/call ", "TOOLS/CALL",
              "tools/calls", "tools/calling", f"{word}/tools/call", "call", "tools", "")  # fmt: skip
    for method in (f"{word}/{world.word()}", "resources/list", "ping", "initialize", *nearly):
        reply = _message(student.handle(world.contracts, _request(8, method, call)))
        expect(reply).equals({"jsonrpc": "2.0", "id": 8, "error": {"code": -32601, "message": f"no method {method!r}"}})
    expect(world.ledger.calls()).equals(0, because="what is no call calls nothing")


@e4.case("nothing is printed on stdout: it may be the wire")
def silent(student: Student, world: World) -> None:
    tool, broken = world.tool(), world.tool(after=0, error=KeyError(world.secret()))
    tools = student.hold(_open(world, tool, broken, _own(world)))
    wire = student.hold(Wire([]))
    wire.method("open")
    try:
        for name in (tool.name, broken.name, world.name()):
            student.handle(tools, _request(1, "tools/call", {"name": name, "arguments": {"topic": world.words()}}))
        student.handle(tools, _request(2, "tools/list"))
    finally:
        called = student.last_call
        caught = wire.method("close")
        student.last_call = called
    expect(Seen(caught["stdout"].plain, "stdout")).equals("", because=ONLY_MESSAGES)
    _unchanged(tools, world)
