"""Session 11, the same tools over MCP: the list, a call, the wire, and a server that answers as the loop does."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from course.calls import call_tool
from course.errors import ToolError
from course.stdio import Noisy, Wire
from course.tool import Tool
from course.tools import ToolRegistry, UnknownToolError
from grader.engine.exercise import Session
from grader.engine.expect import Failure, Seen, expect, expect_raises, show
from grader.engine.student import Student
from grader.engine.world import CountedTool, World

session = Session("ch11", "The same tools over MCP", builds=("course.mcp_server",))

Schema = dict[str, Any]

SAME_SCHEMA = "what a client is shown is what its arguments are judged by"
OWN_ONLY = "a tool whose name begins with an underscore is the loop's own"
NO_DEFECT = "what a defect says is for its operator, and may hold anything"
INTERNAL = (-32603, "Internal server error")


def _offer(world: World, tool: CountedTool, schema: Schema) -> Tool:
    """`tool` with `schema`, also under its name among the world's contracts."""
    made = Tool(tool.name, f"Answers for {tool.name}: {world.words()}.", schema, tool)
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


def _own(world: World) -> CountedTool:
    """A tool of the loop's own."""
    return world.tool(name=f"_{world.name()}")


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
    made = [_offer(world, world.tool(), _schema(world)) for _ in range(3)]
    found = student.list_tools(world.contracts)
    expect(found).has_length(3, because="each tool is listed once")
    for entry, tool in zip(found, sorted(made, key=lambda tool: tool.name), strict=True):
        expect(entry).has_keys("name", "description", "inputSchema", because="these are the names on the wire")
        expect(entry["name"]).equals(tool.name)
        expect(entry["description"]).equals(tool.description)
        expect(entry["inputSchema"]).equals(tool.schema, because=SAME_SCHEMA)


@e1.case("sorted by name, in whatever order they were registered")
def in_order(student: Student, world: World) -> None:
    for _ in range(5):
        _offer(world, world.tool(), _schema(world))
    tools = _backwards(world.contracts)
    expect(student.list_tools(tools).each("name")).equals(
        sorted(tools), because="the same registry gives the same list, whoever filled it and when"
    )


@e1.case("a tool whose name begins with an underscore is not listed")
def own_tools(student: Student, world: World) -> None:
    for tool in (_own(world), world.tool(), _own(world), world.tool(name=f"{world.name()}_")):
        _offer(world, tool, _schema(world))
    seen = student.list_tools(world.contracts).each("name")
    expect(seen).equals(sorted(name for name in world.contracts if name[0] != "_"), because=OWN_ONLY)


@e1.case("what is listed shares nothing with the tools")
def copies(student: Student, world: World) -> None:
    tool = _offer(world, world.tool(), _schema(world))
    tools = student.hold(world.contracts)
    handed_out = student.list_tools.kept(tools).item(0).item("inputSchema")
    handed_out.item("properties").method("clear")
    handed_out.method("clear")
    expect(student.list_tools(tools)[0]["inputSchema"]).equals(
        tool.schema, because="whoever changes a list must not change what arguments are judged by"
    )


@e1.case("each list is of the tools that there are at that moment")
def fresh(student: Student, world: World) -> None:
    expect(student.list_tools({})).equals([], because="no tools are an empty list")
    for count in (1, 2):
        _offer(world, world.tool(), _schema(world))
        expect(student.list_tools(world.contracts)).has_length(count, because="a tool may be registered later")
    expect(world.ledger.calls()).equals(0, because="a list calls no tool")


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch11-e2",
    "A call, and five ways in which it ends",
    provides=["call_tool"],
    hints=[
        "Who can do better next time: the model, the program that asked, or the author of the tool? Which of the three "
        "does each failure concern?",
        "`run_tool` raises `UnknownToolError`, and that is a `ToolError` too. Which `except` comes first?",
        "A defect raises whatever it likes, with whatever it likes in its text. How much of it does your message need?",
    ],
)


def _open(world: World, *tools: CountedTool) -> dict[str, Tool]:
    """The tools with a schema that lets everything through."""
    for tool in tools:
        world.contract(tool)
    return world.contracts


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
        (None, "null"),
        ([], "[]"),
        (["Übung", None, word], f'["Übung", null, "{word}"]'),
    ):
        tool = world.tool(world.outcomes(value))
        reply = student.call_tool(_open(world, tool), tool.name, {})
        expect(reply).has_keys("content", "isError", because="a result that is no object has these two keys")
        expect(reply["content"]).equals(
            [{"type": "text", "text": text}], because="the text is the value's JSON, and a text has no quotes around it"
        )
        expect(reply["isError"]).equals(False)


@e2.case("an object comes as `structuredContent` too")
def objects(student: Student, world: World) -> None:
    for value in ({}, {"tide": world.words(), "rows": [1, 1.0, None, {"ok": True}]}):
        tool = world.tool(world.outcomes(value))
        reply = student.call_tool(_open(world, tool), tool.name, {})
        expect(reply).has_keys("content", "structuredContent", "isError")
        expect(reply["structuredContent"]).equals(value)
        expect(reply["content"]).equals([{"type": "text", "text": json.dumps(value)}])
        expect(reply["isError"]).equals(False)


@e2.case("the tool is called once, with the arguments as they came")
def called_once(student: Student, world: World) -> None:
    tool = world.tool()
    _offer(world, tool, _schema(world))
    number = next(name for name, rule in world.contracts[tool.name].schema["properties"].items() if "minimum" in rule)
    args = {number: world.number(10, 99)}
    reply = student.call_tool(world.contracts, tool.name, args)
    expect(reply["isError"]).equals(False)
    expect(world.ledger.arguments(tool)).equals([args], because="a missing argument is the tool's own affair")


@e2.case("a ToolError is a result that is marked as an error", points=2)
def refused(student: Student, world: World) -> None:
    tool = world.tool(after=0, error=world.words())
    reply = student.call_tool(_open(world, tool), tool.name, {"topic": world.word()})
    expect(reply).has_keys("content", "isError")
    expect(reply["isError"]).equals(True, because="the flag is the signal: a text that begins with `Error` is none")
    expect(reply["content"]).equals([{"type": "text", "text": str(tool._error)}], because="the model can act on it")
    expect(world.ledger.calls()).equals(1)


@e2.case("arguments that do not fit are such a result, and nothing is called")
def unfit(student: Student, world: World) -> None:
    tool = world.tool()
    world.contract(tool, page="integer", topic="string")
    for args, problems in (
        ({"page": "1", "topic": "x"}, [f"$.{tool.name}.page: expected type integer, got str"]),
        ({"page": True, "topic": "x"}, [f"$.{tool.name}.page: expected type integer, got bool"]),
        ({}, [f"$.{tool.name}.page: required, but missing", f"$.{tool.name}.topic: required, but missing"]),
    ):
        reply = student.call_tool(world.contracts, tool.name, args)
        expect(world.ledger.calls()).equals(0, because="arguments are judged before the call")
        expect(reply["isError"]).equals(True, because="a model can mend its arguments, if it is told")
        expect(reply["content"]).equals([{"type": "text", "text": f"invalid arguments: {'; '.join(problems)}"}])


@e2.case("what JSON cannot hold is such a result")
def unrecordable(student: Student, world: World) -> None:
    for value in (float("nan"), {1, 2}, {"rows": [float("inf")]}):
        tool = world.tool(lambda value=value, **_: value)
        reply = student.call_tool(_open(world, tool), tool.name, {})
        expect(reply).has_keys("content", "isError")
        expect(reply["isError"]).equals(True, because="a client cannot read `NaN`: it is no JSON")
        expect(reply["content"][0]["text"]).contains(f"tool {tool.name!r} returned what JSON cannot hold")


@e2.case("an unknown name is error -32602, and lists the names that a client may call")
def unknown(student: Student, world: World) -> None:
    tools = _backwards(_open(world, world.tool(), world.tool(), world.tool(), _own(world)))
    name, shown = world.name(), ", ".join(sorted(name for name in tools if name[0] != "_"))
    with expect_raises(Exception, named="McpError", because="nothing was called, so there is no result") as raised:
        student.call_tool(tools, name, {})
    expect(raised.text).equals(f"-32602: no tool named {name!r} (have: {shown})")
    expect(world.ledger.calls()).equals(0)


@e2.case("a tool whose name begins with an underscore is unknown, and is not called", points=2)
def not_served(student: Student, world: World) -> None:
    own, other = _own(world), world.tool()
    tools = _open(world, own, other)
    because = "a tool that is only left out of the list can still be called by whoever guesses its name"
    with expect_raises(Exception, named="McpError", because=because) as raised:
        student.call_tool(tools, own.name, {})
    expect(world.ledger.calls()).equals(0, because=because)
    expect(raised.text).equals(f"-32602: no tool named {own.name!r} (have: {other.name})", because=OWN_ONLY)


@e2.case("a defect is error -32603 and says nothing of itself", points=2)
def defect(student: Student, world: World) -> None:
    for kind in (KeyError, TypeError, ValueError, RuntimeError, OSError):
        secret = world.secret()
        tool = world.tool(after=0, error=kind(secret))
        with expect_raises(Exception, named="McpError", because=NO_DEFECT) as raised:
            student.call_tool(_open(world, tool), tool.name, {})
        expect(raised.text).lacks(secret, "Traceback", because=NO_DEFECT)
        expect(raised.text).equals("-32603: Internal server error", because=NO_DEFECT)
        expect(world.ledger.calls(tool)).equals(1, because="a defect is not tried again")


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
NOT_LOST = "what a tool prints is for whoever runs the server, who reads stderr"


class _Session:
    """One run of a student's server on a wire: what came of it."""

    def __init__(self, world: World, noise: Mapping[str, str], without: int = -1, breaks_at: int = -1) -> None:
        self.noise = noise
        self.requests = [f"{world.words()} {number}" for number in range(3)]
        self.replies = {request: json.dumps({"reply": world.words()}) for request in self.requests}
        if without >= 0:
            del self.replies[self.requests[without]]
        self.tool = world.tool(self._reply)
        self.broken = self.requests[breaks_at] if breaks_at >= 0 else None
        self.answer = Noisy(self.tool, dict(noise))
        self.mark = world.words()
        self.out = self.err = self.asked = Seen(None, "nothing was served")

    def _reply(self, request: str) -> str | None:
        if request == self.broken:
            raise RuntimeError("broken on purpose")
        return self.replies.get(request)

    @contextmanager
    def on(self, student: Student) -> Iterator[Any]:
        """Open a wire where the student's code runs; what was caught is here afterwards."""
        wire = student.hold(Wire(self.requests))
        wire.method("open")
        try:
            yield wire
        finally:
            called, first = student.last_call, student.first_entry
            caught = wire.method("close", self.mark)
            student.last_call, student.last_value, student.first_entry = called, None, first
        if caught["trouble"].plain:
            raise Failure("stdout and stderr that can still be written to", show(caught["trouble"].plain), NOT_LOST)
        self.out, self.err = Seen(caught["stdout"].plain, "stdout"), Seen(caught["stderr"].plain, "stderr")
        self.asked = Seen(caught["asked"].plain, "stdout at each request")

    def served(self, student: Student, world: World) -> "_Session":
        """Let the student serve all of it."""
        with self.on(student) as wire:
            student.serve_lines(wire, self.answer)
        expect(world.ledger.given(self.tool)).equals(self.requests, because="each request is answered once, in turn")
        return self

    def holds(self, *replies: str, because: str) -> None:
        """On stdout are the replies, and then the mark, printed and written to the descriptor."""
        expect(self.out).equals("".join(f"{line}\n" for line in (*replies, self.mark, self.mark)), because=because)

    def noise_is_on_stderr(self, times: int = 3) -> None:
        """Each text is there as often as the answer was asked for."""
        for text in self.noise.values():
            expect(self.err).contains(text, because=NOT_LOST)
            if self.err.plain.count(text) != times:
                raise Failure(f"{show(text)} {times} times on stderr", f"{self.err.plain.count(text)} times", NOT_LOST)


def _only_messages(student: Student, world: World, because: str = ONLY_MESSAGES, **noise: str) -> None:
    run = _Session(world, noise).served(student, world)
    run.holds(*run.replies.values(), because=because)
    run.noise_is_on_stderr()


@e3.case("each reply is a line on stdout, in order, and no reply is no line")
def replies(student: Student, world: World) -> None:
    run = _Session(world, {}).served(student, world)
    run.holds(*run.replies.values(), because="replies go to stdout, and afterwards it is again what it was")
    run = _Session(world, {}, without=1).served(student, world)
    run.holds(*run.replies.values(), because="a notification has no reply, not even `None`")


@e3.case("a reply is on the wire before the next request is read")
def at_once(student: Student, world: World) -> None:
    run = _Session(world, {}).served(student, world)
    due = ["".join(f"{reply}\n" for reply in list(run.replies.values())[:n]) for n in range(3)]
    expect(run.asked).equals(
        due, because="a client waits for its reply before it asks again, and both would wait for ever"
    )


@e3.case("what is printed goes to stderr, and nothing but replies to stdout", points=2)
def prints(student: Student, world: World) -> None:
    for way in ("print", "sys.stdout"):
        _only_messages(student, world, **{way: world.words()})


@e3.case("so does what looks like a message")
def looks_like_one(student: Student, world: World) -> None:
    noise = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": False, "x": world.words()}})
    _only_messages(student, world, because="whether a line is a reply, its look cannot tell", print=noise)


@e3.case("so does what is written to descriptor 1, as code in C does", points=2)
def below_python(student: Student, world: World) -> None:
    _only_messages(student, world, descriptor=world.words())


@e3.case("so does what is left in the buffer of the stdout from before")
def left_in_a_buffer(student: Student, world: World) -> None:
    _only_messages(student, world, held=world.words())


@e3.case("stderr stays open to those who use it")
def stderr_open(student: Student, world: World) -> None:
    ways = ("stderr", "print", "descriptor", "held", "sys.stdout")
    _only_messages(student, world, **{way: world.words() for way in ways})


@e3.case("an exception comes through, and stdout is what it was")
def breaks(student: Student, world: World) -> None:
    run = _Session(world, {way: world.words() for way in ("print", "descriptor", "held")}, breaks_at=1)
    with run.on(student) as wire, expect_raises(RuntimeError, because="`serve_lines` is not the one to judge a defect"):
        student.serve_lines(wire, run.answer)
    expect(world.ledger.calls()).equals(2, because="a defect ends it")
    run.holds(run.replies[run.requests[0]], because="what the process prints later is its own affair again")
    run.noise_is_on_stderr(times=2)


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch11-e4",
    "Two doors, one room",
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
        report, half, line, echo, refuse, broken = list(self.tools)[:6]
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
    for number, (name, args) in enumerate(room.calls(50)):
        reply = _asked(student, room.tools, number, name, args)
        expect(reply).equals({"jsonrpc": "2.0", "id": number, **room.ends(name, args)}, because=PARITY)


@e4.case("and reach the tools as often, with the same arguments", points=2)
def reached(student: Student, world: World) -> None:
    room = _Room(world)
    for number, (name, args) in enumerate(room.calls(50)):
        _asked(student, room.tools, number, name, args)
        room.ends(name, args)
    expect(world.ledger.arguments()).equals(
        room.reached, because="an argument that was left out is filled in by the tool's own signature, at both doors"
    )


@e4.case("numbers arrive as they were sent, and come back as the tool gave them")
def numbers(student: Student, world: World) -> None:
    for value in (1, 1.0, True, 0, False, 0.1 + 0.2, 1e22, 10**25, -0.0, world.number(10**17, 10**18), 1e-7):
        tool = world.tool(lambda n: n)
        _offer(world, tool, {"type": "object", "properties": {"n": {}}, "required": ["n"]})
        reply = _asked(student, world.contracts, 1, tool.name, {"n": value})
        expect(world.ledger.arguments(tool)).equals([{"n": value}], because="1, 1.0 and true are three values")
        expect(reply["result"]["content"]).equals([{"type": "text", "text": json.dumps(value)}])


@e4.case("a reply carries the id of its request, number or text")
def ids(student: Student, world: World) -> None:
    tool, broken = world.tool(), world.tool(after=0, error=KeyError(world.secret()))
    tools = _open(world, tool, broken)
    for number in (0, world.number(1, 10**9), world.words(), "1"):
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
    tool = _offer(world, world.tool(), _schema(world))
    _offer(world, _own(world), {"type": "object"})
    entry = {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}
    reply = _message(student.handle(world.contracts, _request(7, "tools/list")))
    expect(reply).equals({"jsonrpc": "2.0", "id": 7, "result": {"tools": [entry]}})
    method = f"{world.word()}/{world.word()}"
    reply = _message(student.handle(world.contracts, _request(8, method, {"name": tool.name, "arguments": {}})))
    expect(reply).equals({"jsonrpc": "2.0", "id": 8, "error": {"code": -32601, "message": f"no method {method!r}"}})
    expect(world.ledger.calls()).equals(0)
