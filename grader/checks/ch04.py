"""Session 4, ToolError: errors that are specific, safe to show, and mean that nobody made a mistake in the program."""

import builtins
from decimal import Decimal

from course.errors import ToolError
from course.schema import validate
from course.tool import Tool
from grader.engine.exercise import Session
from grader.engine.expect import expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import World

session = Session("ch04", "ToolError", builds=("course.errors", "course.calls"))

NOT_EXPECTED = "what nobody expected is a defect, and must reach somebody who can mend it"
NOTHING_RAN = "arguments are judged before the call: what has run cannot be taken back"
ASKED_ONCE = "there is no second try: whether to try again is for the loop to decide"


class LineDownError(ConnectionError):
    """A kind of ConnectionError that a library of the service may have."""


class SlowLineError(TimeoutError):
    """A kind of TimeoutError, likewise."""


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch04-e1",
    "An error that names its tool",
    provides=["ToolError"],
    hints=[
        "What does `str` show of an exception that was given one text, and what of one that was given three values?",
        "Build the message first, in a variable, and hand it to `super().__init__` once it is finished.",
        "`sorted` takes a list, a set or the keys of a dict, and gives a new list. What does it make of a text?",
    ],
)


@e1.case("the message is the tool's name and the problem")
def name_and_problem(student: Student, world: World) -> None:
    tool, problem = world.name(), world.words()
    expect(student.ToolError.kept(tool, problem).text()).equals(
        f"{tool}: {problem}", because="the reader must learn which tool it was, in words without quotes around them"
    )


@e1.case("the options are shown sorted, from whatever collection they come")
def sorted_options(student: Student, world: World) -> None:
    tool, problem = world.name(), world.words()
    options = [world.words(1) for _ in range(world.number(12, 20))]
    options += [world.words(1).upper(), world.words(1).title()]
    wanted = f"{tool}: {problem} (have: {', '.join(sorted(options))})"
    for given in (options, tuple(options), set(options), dict.fromkeys(options, 1), sorted(options, reverse=True)):
        expect(student.ToolError.kept(tool, problem, given).text()).equals(
            wanted, because="an error that reads differently each time cannot be compared, and hides what is missing"
        )
    expect(student.ToolError.kept(tool=tool, problem=problem, options=options).text()).equals(wanted)


@e1.case("no options add nothing, and empty ones say `none`")
def no_options(student: Student, world: World) -> None:
    tool, problem = world.name(), world.words()
    expect(student.ToolError.kept(tool, problem, None).text()).equals(f"{tool}: {problem}")
    empty: list[object] = [[], set(), {}]
    for nothing in empty:
        expect(student.ToolError.kept(tool, problem, nothing).text()).equals(
            f"{tool}: {problem} (have: none)", because="that nothing would have been accepted is worth knowing"
        )


@e1.case("one text alone is the whole message")
def whole_message(student: Student, world: World) -> None:
    message = f"{world.name()}: {world.words()}"
    expect(student.ToolError.kept(message).text()).equals(message)
    options = [world.words(1), world.words(1)]
    expect(student.ToolError.kept(message, options=options).text()).equals(
        f"{message} (have: {', '.join(sorted(options))})"
    )


@e1.case("the options that were handed over stay as they were")
def options_untouched(student: Student, world: World) -> None:
    options = sorted((world.words(1) for _ in range(3)), reverse=True)
    collections: list[object] = [options, {options[0]}, dict.fromkeys(options, 1)]
    for given in collections:
        held = student.hold(given)
        student.ToolError.kept(world.name(), world.words(), held)
        expect(held.copy()).equals(given, because="the collection belongs to the tool, which may go on using it")
    ordered = student.hold(dict.fromkeys(options, 1))
    student.ToolError.kept(world.name(), world.words(), ordered)
    expect(list(ordered.copy().plain)).equals(options, because="a dict keeps its order as well")


@e1.case("one text as options is a mistake, and is refused")
def text_as_options(student: Student, world: World) -> None:
    with expect_raises(TypeError, because="a text is a collection of letters, and `(have: a, e, l, t)` helps nobody"):
        student.ToolError(world.name(), world.words(), world.word())


@e1.case("`except Exception` catches it, and no narrower clause of Python's own does")
def bases(student: Student, world: World) -> None:
    tool, problem = world.name(), world.words()
    expect(student.ToolError.kept(tool, problem).text()).contains(tool, problem)
    own = [name for name in student.ToolError.lineage() if name in vars(builtins)]
    expect(own).equals(
        ["Exception", "BaseException", "object"],
        because="a KeyError is caught with the defects, and a BaseException runs through every `except Exception`",
    )


@e1.case("made again from its `args`, it says the same")
def again_from_args(student: Student, world: World) -> None:
    made = student.ToolError.kept(world.name(), world.words(), [world.words(1), world.words(1)])
    message = made.text()
    expect(made.attribute("args")).equals(
        (message.plain,), because="copy and pickle make an exception again from its `args`, in another process too"
    )
    expect(student.ToolError.kept(message).text()).equals(message.plain)


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch04-e2",
    "Expected failures, and all the others",
    provides=["live_rate"],
    hints=[
        "Which failures do you expect of a service that is somewhere else, and which would be somebody's mistake?",
        "Both expected exceptions are kinds of OSError. Which other kinds does a clause for OSError catch with them?",
        "`raise ... from error` keeps what happened for the developer. What does a caller see of it in the message?",
    ],
)


@e2.case("a rate comes back as the service gave it, after one call")
def good_rate(student: Student, world: World) -> None:
    code, rate = world.word(), world.number(1, 10**6)
    service = world.tool(lambda code: rate)
    expect(student.live_rate(code, service)).equals(rate)
    expect(world.ledger.arguments(service)).equals([{"*": [code]}], because="one question, one call: `service(code)`")


@e2.case("whatever the service returns is a rate, also 0, and each call asks anew")
def as_it_is(student: Student, world: World) -> None:
    rates: list[object] = [0, 0.0, world.rng.uniform(0.001, 9), Decimal(world.number(1, 99_999)) / 1000, None, ""]
    world.rng.shuffle(rates)
    code, waiting = world.word(), iter(rates)
    service = world.tool(lambda code: next(waiting))
    for rate in rates:
        expect(student.live_rate(code, service)).equals(
            rate, because="what a rate is, the service says, each time anew"
        )
    other = world.number(10**6, 10**7)
    expect(student.live_rate(code, world.tool(lambda code: other))).equals(
        other, because="another service may have another rate, and the one of a minute ago is old"
    )


@e2.case("a service that cannot be reached becomes a ToolError", points=2)
def unreachable(student: Student, world: World) -> None:
    known = [ConnectionRefusedError, ConnectionResetError, ConnectionAbortedError, BrokenPipeError]
    for kind in (ConnectionError, world.rng.choice(known), LineDownError):
        service = world.tool(after=0, error=kind(world.words()))
        with expect_raises(
            ToolError, because="an error that comes back as a value is a rate to whoever reads it"
        ) as it:
            student.live_rate(world.word(), service)
        expect(it.text).equals("live_rate: the rate service cannot be reached")
        expect(world.ledger.calls(service)).equals(1, because=ASKED_ONCE)


@e2.case("a service that does not answer in time becomes another one")
def too_slow(student: Student, world: World) -> None:
    for kind in (TimeoutError, SlowLineError):
        service = world.tool(after=0, error=kind(world.words()))
        with expect_raises(ToolError, because="a library may have a class of its own below TimeoutError") as raised:
            student.live_rate(world.word(), service)
        expect(raised.text).equals(
            "live_rate: the rate service did not answer in time", because="the two need different remedies"
        )
        expect(world.ledger.calls(service)).equals(1, because=ASKED_ONCE)


@e2.case("what the service raised stays on it as its cause")
def cause_kept(student: Student, world: World) -> None:
    for kind in (TimeoutError, world.rng.choice([ConnectionError, ConnectionAbortedError])):
        error = kind(world.words())
        with expect_raises(ToolError) as raised:
            student.live_rate(world.word(), world.tool(after=0, error=error))
        raised.comes_from(error, because="the developer needs to know what really happened: `raise … from …`")


@e2.case("any other exception comes through as it is")
def others_pass(student: Student, world: World) -> None:
    for error in world.defects():
        service = world.tool(after=0, error=error)
        with expect_raises(BaseException, named=type(error).__name__, because=NOT_EXPECTED) as raised:
            student.live_rate(world.word(), service)
        raised.is_the(error, because="a copy has lost the place where it was raised")
        expect(world.ledger.calls(service)).equals(1, because=ASKED_ONCE)


@e2.case("so do the other kinds of OSError")
def other_os_errors_pass(student: Student, world: World) -> None:
    for kind in (OSError, PermissionError, FileNotFoundError):
        with expect_raises(kind, because="a file that may not be read is no service that is away"):
            student.live_rate(world.word(), world.tool(after=0, error=kind(world.words())))


@e2.case("an interrupt stops it")
def interrupt(student: Student, world: World) -> None:
    with expect_raises(KeyboardInterrupt, because="whoever presses Ctrl+C wants the program to end, not a refusal"):
        student.live_rate(world.word(), world.tool(after=0, error=KeyboardInterrupt()))


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch04-e3",
    "Look up, judge, call",
    provides=["call_tool"],
    hints=[
        "In which order do the three steps stand so that a bad call has reached nobody?",
        "When the arguments fit the schema, whose TypeError can it be that comes out of the call?",
        "`**args` makes a new dict, and the lists in it are still the caller's. Which copy goes all the way down?",
    ],
)

SCHEMA = {
    "type": "object",
    "properties": {
        "topic": {"type": "string"},
        "pages": {"type": "array", "items": {"type": "integer"}},
        "most": {"type": "integer", "minimum": 1, "default": 3},
        "since": {"type": ["string", "null"]},
        "where": {"type": "object"},
    },
    "required": ["topic"],
    "additionalProperties": False,
}


@e3.case("a call that fits reaches its tool once, and its result comes back")
def good_call(student: Student, world: World) -> None:
    lookup, other = world.tool(), world.tool()
    tools = {one.name: Tool(one.name, world.words(), SCHEMA, one) for one in (lookup, other)}
    args = {"topic": world.word(), "pages": [1, world.number(2, 9)], "most": 3}
    expect(student.call_tool(tools, lookup.name, args)).equals(world.ledger.entries[0].result)
    expect(world.ledger.arguments(lookup)).equals([args], because="arguments are passed by name, as they are")
    expect(world.ledger.calls()).equals(1)
    sent: list[dict[str, object]] = [
        {"topic": world.word()},
        {"topic": "", "since": None},
        {"topic": f" {world.word()} ", "pages": [], "where": {}, "since": ""},
    ]
    for some in sent:
        student.call_tool(tools, other.name, some)
    expect(world.ledger.arguments(other)).equals(sent, because="no argument is added, none is dropped, none is changed")


@e3.case("an empty result is a result")
def empty_results(student: Student, world: World) -> None:
    results: list[object] = ["", 0, None, False, []]
    for result in world.rng.sample(results, 5):
        tool = world.tool(lambda topic, result=result: result)
        tools = {tool.name: Tool(tool.name, world.words(), SCHEMA, tool)}
        expect(student.call_tool(tools, tool.name, {"topic": world.word()})).equals(result)


@e3.case("an unknown name is refused with the names that there are, sorted")
def unknown_name(student: Student, world: World) -> None:
    made = sorted((world.tool() for _ in range(world.number(11, 15))), key=lambda one: one.name, reverse=True)
    tools = {one.name: Tool(one.name, world.words(), SCHEMA, one) for one in made}
    name, known = world.name(), world.rng.choice(made).name
    near = [known.upper(), known[:-1], f"{known} ", known.replace("_", "-"), known.partition("_")[0], f"{name}'s\n", ""]
    for wrong in (name, *near):
        with expect_raises(ToolError, because="a model that has invented a name must learn which there are") as raised:
            student.call_tool(tools, wrong, {"topic": world.word()})
        expect(raised.text).equals(f"no tool named {wrong!r} (have: {', '.join(sorted(tools))})")
    with expect_raises(ToolError) as raised:
        student.call_tool({}, name, {})
    expect(raised.text).equals(f"no tool named {name!r} (have: none)")
    expect(world.ledger.calls()).equals(0)


@e3.case("arguments that do not fit are refused, and no tool is called", points=2)
def bad_arguments(student: Student, world: World) -> None:
    tool = world.tool()
    tools = {tool.name: Tool(tool.name, world.words(), SCHEMA, tool)}
    word = world.word()
    bad: list[object] = [
        {"topic": world.number(1, 9)},
        {},
        {"topic": word, "depth": 2},
        {"topic": word, "most": "3"},
        {"topic": word, "most": True},
        {"topic": word, "pages": [1, "2", world.word()]},
        [word],
        None,
    ]
    for args in bad:
        with expect_raises(ToolError, because=NOTHING_RAN) as raised:
            student.call_tool(tools, tool.name, args)
        faults = "; ".join(validate(args, SCHEMA, f"$.{tool.name}"))
        expect(raised.text).equals(f"invalid arguments: {faults}", because="the path says which argument it was")
        expect(world.ledger.calls()).equals(0, because=NOTHING_RAN)


@e3.case("every fault of the arguments is named, in the validator's order")
def every_fault(student: Student, world: World) -> None:
    tool = world.tool()
    tools = {tool.name: Tool(tool.name, world.words(), SCHEMA, tool)}
    # In the order of the validator page 2 stands before page 10.
    pages = [world.word() if page in (2, 10) else page for page in range(12)]
    args = {"pages": pages, "most": 0, world.word(): 1, "since": 7}
    with expect_raises(ToolError) as raised:
        student.call_tool(tools, tool.name, args)
    expect(raised.text).equals(
        f"invalid arguments: {'; '.join(validate(args, SCHEMA, f'$.{tool.name}'))}",
        because="a model that learns of one fault at a time needs a turn for each",
    )
    expect(world.ledger.calls()).equals(0, because=NOTHING_RAN)


@e3.case("a TypeError inside the tool is the tool's own, and comes through")
def type_error_inside(student: Student, world: World) -> None:
    tool = world.tool(after=0, error=TypeError(world.words()))
    tools = {tool.name: Tool(tool.name, world.words(), SCHEMA, tool)}
    with expect_raises(
        TypeError, because="a model cannot mend a tool, and told that its arguments are wrong it will try"
    ):
        student.call_tool(tools, tool.name, {"topic": world.word()})
    expect(world.ledger.calls(tool)).equals(1, because=ASKED_ONCE)


@e3.case("so does every other exception, whatever its kind, after one call")
def others_come_through(student: Student, world: World) -> None:
    for error in world.defects():
        broken = world.tool(after=0, error=error)
        tools = {broken.name: Tool(broken.name, world.words(), SCHEMA, broken)}
        with expect_raises(BaseException, named=type(error).__name__, because=NOT_EXPECTED) as raised:
            student.call_tool(tools, broken.name, {"topic": world.word()})
        raised.is_the(error, because="a copy has lost the place where it was raised")
        expect(world.ledger.calls(broken)).equals(1, because=ASKED_ONCE)


@e3.case("a ToolError of the tool comes through as it is, after one call")
def refusals_come_through(student: Student, world: World) -> None:
    name, reason = world.name(), world.words()
    error = ToolError(f"{name}: {reason}")
    gone = world.tool(name=name, after=0, error=error)
    tools = {name: Tool(name, world.words(), SCHEMA, gone)}
    with expect_raises(ToolError) as raised:
        student.call_tool(tools, name, {"topic": world.word()})
    expect(raised.text).equals(f"{name}: {reason}", because="the tool has said what there is to say")
    raised.is_the(error, because="a copy has lost the place where it was raised")
    expect(world.ledger.calls(gone)).equals(1, because=ASKED_ONCE)


@e3.case("one call leaves nothing behind for the next")
def nothing_left_behind(student: Student, world: World) -> None:
    tool = world.tool()
    tools = {tool.name: Tool(tool.name, world.words(), SCHEMA, tool)}
    first, second = {"topic": world.word(), "most": world.number(1, 9)}, {"topic": world.word()}
    for args in (first, second, first):
        student.call_tool(tools, tool.name, args)
    expect(world.ledger.arguments(tool)).equals(
        [first, second, first],
        because="what was left out is not filled from an earlier call, and what was asked before is asked again",
    )


@e3.case("what a tool does to its arguments stays with the tool")
def arguments_are_copies(student: Student, world: World) -> None:
    given = {"topic": world.word(), "pages": [1, world.number(2, 9)], "where": {"any": [{"tags": [[world.word()]]}]}}
    args, kept = student.hold(given), student.hold({})
    name = world.name()
    # A tool that keeps what it is given, and changes it afterwards.
    student.call_tool({name: Tool(name, world.words(), SCHEMA, kept.attribute("update").plain)}, name, args)
    kept.item("pages").method("append", 99)
    expect(args.copy()).equals(given, because="the caller's record would say what the tool made of the arguments")
    place = kept.item("where")
    for key in ("any", 0, "tags", 0):
        place = place.item(key)
    place.method("append", world.word())
    expect(args.copy()).equals(given, because="a copy of the outer levels shares the inner ones with the caller")


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch04-e4",
    "The reason without the secret",
    provides=["safe_error"],
    hints=[
        "In how many ways can the same key be spelled in a message, if upper and lower case may be mixed?",
        "`re.sub` knows a flag for that. What do `.`, `+` and `$` mean to it, and which function takes that away?",
        "Of two secrets one may be the beginning of the other. Which of them has to be looked for first?",
    ],
)


@e4.case("the secret is gone and the reason is still there", points=2)
def gone_and_there(student: Student, world: World) -> None:
    secret, before, after = world.secret(), world.words(), world.words()
    made = student.safe_error.kept(world.name(), RuntimeError(f"{before}, key={secret}: {after}"), [secret])
    expect(made.text()).lacks(secret, because="what a model reads may be read by anybody")
    expect(made.text()).contains(before, after, because="a message that says nothing helps nobody")


@e4.case("it is a ToolError: the tool's name, and `[redacted]` where the secret was")
def exact_message(student: Student, world: World) -> None:
    tool, secret, before, after = world.name(), world.secret(), world.words(), world.words().upper()
    made = student.safe_error.kept(tool, ConnectionError(f"{before} ({secret}) {after}"), [secret])
    expect(made.text()).equals(f"{tool}: {before} ([redacted]) {after}", because="everything else stays to the letter")
    expect(made.copy()).is_a(ToolError, because="the caller raises it: `raise safe_error(…) from error`")


@e4.case("the text of the exception is what `str` gives, all of it, to the letter")
def to_the_letter(student: Student, world: World) -> None:
    tool, secret, word = world.name(), world.secret(), world.word()
    spread = f"  {world.words()}\n\n\t{world.words(40)}  {secret}\r\n{world.words(40)}: Ü, {secret}\n "
    errors = [
        RuntimeError(spread),
        KeyError(f"{word} {secret}"),  # shown in quotes
        OSError(world.number(1, 9), f"{word} {secret}"),
        ValueError(word, secret, 3),
        RuntimeError(),
    ]
    for error in errors:
        text = str(error)
        made = student.safe_error.kept(tool, error, [secret])
        expect(made.text()).equals(
            f"{tool}: {text.replace(secret, '[redacted]')}", because="everything else stays to the letter"
        )


@e4.case("no part of the error holds a secret, and the list of secrets stays as it was")
def nothing_beside_it(student: Student, world: World) -> None:
    secrets = [world.secret(), f"{world.secret()}-{world.word()}", "", world.secret()]
    held = student.hold(secrets)
    made = student.safe_error.kept(world.name(), RuntimeError(f"{world.words()} {' '.join(secrets)}"), held)
    for part in ("args", "__dict__"):
        expect(str(made.attribute(part).plain)).lacks(
            *filter(None, secrets), because="who logs an error logs what is on it"
        )
    expect(held.copy()).equals(secrets, because="the list belongs to the caller")


@e4.case("upper and lower case hide nothing")
def any_case(student: Student, world: World) -> None:
    tool, secret, reason = world.name(), world.secret(), world.words()
    mixed = ["".join(world.rng.choice([c.upper(), c.lower()]) for c in secret) for _ in range(6)]
    for spelled in (secret.upper(), secret.lower(), secret.swapcase(), *mixed):
        made = student.safe_error.kept(tool, RuntimeError(f"{reason} {spelled}"), [secret])
        expect(made.text()).equals(
            f"{tool}: {reason} [redacted]", because="hosts and headers are often written in another case than the key"
        )


@e4.case("every secret goes, wherever it occurs")
def every_occurrence(student: Student, world: World) -> None:
    tool, one, two, reason = world.name(), world.secret(), str(world.number(10**8, 10**9)), world.words()
    for secrets in ([one, two], (two, one), {one, two}):
        made = student.safe_error.kept(tool, ValueError(f"{one}{two} {reason} {two}/{one.upper()}"), secrets)
        expect(made.text()).equals(f"{tool}: [redacted][redacted] {reason} [redacted]/[redacted]")


@e4.case("a secret is a text, not a pattern")
def not_a_pattern(student: Student, world: World) -> None:
    tool, reason = world.name(), world.words()
    for secret in ("a.b", f"p+q.{world.number(10, 99)}$(x", f"[{world.word()}]*", "back\\slash", "^"):
        made = student.safe_error.kept(tool, RuntimeError(f"{reason} <{secret}> axb {reason}"), [secret])
        expect(made.text()).equals(
            f"{tool}: {reason} <[redacted]> axb {reason}", because="passwords are full of the characters of patterns"
        )


@e4.case("of a secret that contains another one, nothing is left")
def longer_first(student: Student, world: World) -> None:
    tool, short, reason = world.name(), world.secret(), world.words()
    for long in (f"{short}-{world.word()}", f"a-{short}", f"z-{short}", f"A{world.word()}{short}{world.word()}"):
        for secrets in ([short, long], [long, short]):
            made = student.safe_error.kept(tool, RuntimeError(f"{reason} {long} and {short}"), secrets)
            expect(made.text()).equals(
                f"{tool}: {reason} [redacted] and [redacted]", because="the rest of a key is a part of the key"
            )


@e4.case("an empty secret is none, and without secrets nothing changes")
def no_secret(student: Student, world: World) -> None:
    tool, secret, reason = world.name(), world.secret(), world.words()
    made = student.safe_error.kept(tool, RuntimeError(f"{reason} {secret}"), ["", secret])
    expect(made.text()).equals(f"{tool}: {reason} [redacted]", because="a variable that is not set gives an empty text")
    for secrets in ([], [""]):
        made = student.safe_error.kept(tool, RuntimeError(reason), secrets)
        expect(made.text()).equals(f"{tool}: {reason}")
