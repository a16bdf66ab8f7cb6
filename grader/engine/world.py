"""The world that a check builds for one case: counted tools under random names, random words, limits, the ledger.

Everything random comes from the case's seed. The ledger is written here, on the check's side, at the moment a call
arrives: it is what happened, whatever the student reports.
"""

import inspect
import json
import random
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from zlib import crc32

from grader.engine.expect import Failure, Seen, show

if TYPE_CHECKING:
    from course.data import Document
    from course.judging import Judgment, NamedVerifier, Phase
    from course.models import Decision, ModelReply
    from course.tool import Tool
    from course.transcript import Transcript

MAX_CALLS = 200
_LEAVES = frozenset({type(None), bool, int, float, str})

_PLACES = (
    "harbour atlas quarry ledger orchard canal foundry beacon archive terrace mill lagoon depot garden bridge "
    "station cellar meadow ferry tower kiln reef vault pasture dock grove granary pier ridge well"
).split()
_THINGS = (
    "index lookup report survey gauge roster census digest counter register finder monitor inventory schedule "
    "catalogue summary tracker probe query listing"
).split()
_WORDS = (
    "amber tide slate copper early narrow quiet seven north hollow velvet river lantern maple iron salt willow "
    "granite cedar summer cobalt thistle marble ember linen saffron juniper pebble walnut indigo barley flint"
).split()


@dataclass
class Call:
    """One call that reached a tool or a model of the world. `args` is a copy; `error` is the text of what it raised."""

    tool: str
    args: dict[str, Any]
    result: Any = None
    error: str | None = None
    late: bool = False
    by_model: bool = False

    def __str__(self) -> str:
        if self.late:
            end = "called after the loop had returned"
        elif self.error is not None:
            end = self.error
        else:
            end = show(self.result, 80)
        return f"{self.tool}({show(self.args, 120)}) -> {end}"


class Misprint(Exception):
    """A class of the world's own, as any library may have one: nobody expects it."""


@dataclass
class Ledger:
    """Every call of one case, in the order in which they arrived; a model's turns stand among the calls of tools."""

    entries: list[Call] = field(default_factory=list)

    def calls(self, tool: "CountedTool | None" = None) -> Seen:
        """How many calls reached `tool`, or any tool, while the loop ran."""
        return Seen(len(self._of(tool)), f"calls that reached {tool.name if tool else 'the tools'}", bare=True)

    def arguments(self, tool: "CountedTool | None" = None) -> Seen:
        """The arguments of those calls, in order."""
        return Seen(
            [call.args for call in self._of(tool)], f"arguments that reached {tool.name if tool else 'the tools'}"
        )

    def given(self, tool: "CountedTool") -> Seen:
        """The first argument of each of those calls, whether it came by position or by name."""
        first = [next(iter(call.args.get("*") or call.args.values()), None) for call in self._of(tool)]
        return Seen(first, f"what {tool.name} was given")

    def _of(self, tool: "CountedTool | None") -> list[Call]:
        mine = [call for call in self.entries if not call.late and not call.by_model]
        return [call for call in mine if tool is None or call.tool == tool.name]

    def steps(self) -> list[dict[str, Any]]:
        """The steps that a true receipt holds: the calls that arrived in time and returned."""
        done = [call for call in self._of(None) if call.error is None]
        return [{"tool": call.tool, "args": call.args, "result": call.result} for call in done]

    def late(self) -> list[Call]:
        """The calls that arrived when the loop had already returned."""
        return [call for call in self.entries if call.late]


class CountedTool:
    """A tool of the world: calling it is written into the ledger.

    fn: called with the student's arguments; after: answers that many times, then raises `error`.
    edits_arguments, hands_out_its_own: see `World.tool`.
    """

    edits_arguments = False
    hands_out_its_own = False

    def __init__(
        self,
        name: str,
        ledger: Ledger,
        fn: Callable[..., Any],
        after: int | None = None,
        error: BaseException | None = None,
    ) -> None:
        self.name = self.__name__ = name
        self._ledger = ledger
        self._fn = fn
        self._after = after
        self._error = error
        self._count = 0

    def __repr__(self) -> str:
        return f"<tool {self.name}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        entry = Call(self.name, _copied(kwargs if not args else {"*": list(args), **kwargs}))
        self._ledger.entries.append(entry)
        self._count += 1
        try:
            if self._after is not None and self._count > self._after:
                assert self._error is not None
                raise self._error
            result = self._fn(*args, **kwargs)
        except BaseException as error:
            entry.error = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise
        entry.result = _copied(result)
        return result


def _copied(value: Any) -> Any:
    """A deep copy of what crossed the wire; `deepcopy` takes ten times as long for plain data."""
    kind = type(value)
    if kind is dict:
        return {key: item if type(item) in _LEAVES else _copied(item) for key, item in value.items()}
    if kind is list:
        return [item if type(item) in _LEAVES else _copied(item) for item in value]
    return value if kind in _LEAVES else deepcopy(value)


class CountedModel:
    """A model of the world: each time it is asked it takes the next of its replies, and the ledger notes the turn.

    replies: returned in order. An exception among them is raised instead, and a function is called for the reply.
    asked: what it was given, one tuple of copies a turn. Asked once more than it has replies it raises RuntimeError.
    """

    def __init__(self, ledger: Ledger, replies: Sequence[Any]) -> None:
        self.name = self.__name__ = "the model"
        self.asked: list[tuple[Any, ...]] = []
        self._ledger = ledger
        self._replies = replies

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def turns(self) -> Seen:
        """How often it was asked."""
        return Seen(len(self.asked), "turns of the model")

    def shown(self, turn: int) -> Seen:
        """The first thing that it was given in one of its turns, counted from 1: the messages."""
        return self._given(turn, 0, "messages", f"what the model was shown in turn {turn}")

    def offered(self, turn: int) -> Seen:
        """The second thing that it was given in one of its turns, counted from 1: the manifest."""
        return self._given(turn, 1, "a manifest", f"the manifest that the model was given in turn {turn}")

    def _given(self, turn: int, position: int, what: str, place: str) -> Seen:
        if len(self.asked) < turn or len(self.asked[turn - 1]) <= position:
            raise Failure(f"turn {turn} of the model, with {what}", f"{len(self.asked)} turns")
        return Seen(self.asked[turn - 1][position], place)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        entry = Call("model", {"turn": len(self.asked) + 1}, by_model=True)
        self._ledger.entries.append(entry)
        self.asked.append((*deepcopy(args), *deepcopy(list(kwargs.values()))))
        try:
            if len(self.asked) > len(self._replies):
                raise RuntimeError("the model was asked again after its last reply")
            reply = self._replies[len(self.asked) - 1]
            if isinstance(reply, BaseException):
                raise reply
            reply = reply() if inspect.isroutine(reply) else reply
        except BaseException as error:
            entry.error = f"{type(error).__name__}: {error}"
            raise
        entry.result = _said(reply)
        return reply


def _said(reply: Any) -> Any:
    """A model's reply for the ledger: the tools that it asks for, then its text."""
    calls = getattr(reply, "tool_calls", None)
    return reply if calls is None else {"asks": [call.name for call in calls], "text": reply.text}


class Clock:
    """Seconds that pass only when something says so. Calling it reads it; its `sleep` notes how long, and is over.

    now: what it shows; slept: the seconds of each `sleep`, in order.
    """

    def __init__(self, now: float) -> None:
        self.now = now
        self.slept: list[float] = []

    def __repr__(self) -> str:
        return "<clock>"

    def __call__(self) -> float:
        return self.now

    def taking(self, seconds: float, result: Any = None) -> Any:
        """Let `seconds` pass, and return `result`: the body of a slow tool."""
        self.now += seconds
        return result

    def sleep(self, seconds: float) -> None:
        self.slept.append(float(seconds))
        self.now += seconds

    def sleeps(self) -> Seen:
        """The seconds of each `sleep`, in order."""
        return Seen(list(self.slept), "seconds slept")


class TextFile:
    """A file for text lines, held open: `write` and `flush` are counted tools of the world, and nothing else crosses.

    written: all of it; kept: what a crash leaves, which is what was flushed.
    """

    def __init__(self, world: "World") -> None:
        self.written = self.kept = ""
        self.write = world.tool(self._write, name="write")
        self.flush = world.tool(self._flush, name="flush")

    def __repr__(self) -> str:
        return "<file>"

    def _write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() takes a text, not {type(text).__name__}")
        self.written += text
        return len(text)

    def _flush(self) -> None:
        self.kept = self.written

    def records(self) -> Seen:
        """What was flushed, as a list with the JSON object of each line."""
        *lines, rest = self.kept.split("\n")
        if rest:
            raise Failure("a newline at the end of each record", show(rest, 120))
        made = []
        for number, line in enumerate(lines, 1):
            try:
                made.append(json.loads(line))
            except ValueError:
                raise Failure(f"a JSON object in line {number} of the file", show(line, 120)) from None
        return Seen(made, "the records in the file")


class World:
    """What one case brings along. `tools` is what most exercises hand to the student: name -> tool."""

    def __init__(self, seed: str, max_calls: int = MAX_CALLS) -> None:
        self.rng = random.Random(seed)
        self.ledger = Ledger()
        self.tools: dict[str, CountedTool] = {}
        self.contracts: dict[str, Tool] = {}
        self.max_calls = max_calls
        self.over_limit = False
        self._seconds = 1_700_000_000  # what the clock of the latest `interpreter` shows
        self._open_run: str | None = None
        self._closed = False

    # ---------------------------------------------------------------- making things
    def tool(
        self,
        fn: Callable[..., Any] | None = None,
        *,
        name: str | None = None,
        after: int | None = None,
        error: str | BaseException = "",
        edits_arguments: bool = False,
        hands_out_its_own: bool = False,
    ) -> CountedTool:
        """A new counted tool, also under its name in `tools`.

        fn: what it answers; without one it answers fresh words, which nobody can know without having called it.
        after: it answers that many times, then raises `error`; a text becomes a ToolError that starts with the name.
        edits_arguments: what `fn` does to the lists and dicts among its arguments happens to the student's own.
        hands_out_its_own: its list or dict is one and the same object for the student at every call, changed in place.
        """
        from course.errors import ToolError

        name = name or self.name()
        raised = ToolError(f"{name}: {error}") if isinstance(error, str) else error
        made = CountedTool(name, self.ledger, fn or partial(self._fresh_words, name), after, raised)
        made.edits_arguments, made.hands_out_its_own = edits_arguments, hands_out_its_own
        self.tools[name] = made
        return made

    def _fresh_words(self, name: str, *args: Any, **_: Any) -> str:
        if args:
            raise TypeError(f"{name} was called with positional arguments; a tool takes its arguments by name")
        return self.words(2)

    def call(self, tool: CountedTool, **args: Any) -> dict[str, Any]:
        """A decision to call `tool`; without arguments given, one with a random word."""
        return {"tool": tool.name, "args": args or {"topic": self.words(2)}}

    def calls(self, tool: CountedTool, count: int) -> list[dict[str, Any]]:
        """`count` decisions to call `tool`, all with different arguments."""
        return [self.call(tool, topic=self.word(), page=page) for page in range(1, count + 1)]

    def model(self, *replies: Any) -> CountedModel:
        """A counted model that gives `replies` in order, such as turns; see `CountedModel`."""
        return CountedModel(self.ledger, replies)

    def turn(self, *calls: dict[str, Any], text: str | None = None) -> "ModelReply":
        """One turn of a model: `calls` are decisions to call a tool, in order; without `text` it says random words."""
        from course.models import ModelReply, ToolCall

        asked = [ToolCall(call["tool"], call["args"]) for call in calls]
        return ModelReply(self.words(2) if text is None else text, asked)

    def contract(self, tool: CountedTool, idempotent: bool = False, **types: str) -> "Tool":
        """`tool` with its schema, also under its name in `contracts`.

        types: each argument with its JSON type, all required and no others allowed; without any, all are allowed.
        """
        from course.tool import Tool

        schema: dict[str, Any] = {"type": "object"}
        if types:
            properties = {name: {"type": kind} for name, kind in types.items()}
            schema |= {"properties": properties, "required": sorted(types), "additionalProperties": False}
        made = Tool(tool.name, f"Answers for {tool.name}.", schema, tool, idempotent=idempotent)
        self.contracts[tool.name] = made
        return made

    def file(self) -> TextFile:
        """A file that a student writes into, line by line; see `TextFile`."""
        return TextFile(self)

    def decision(self, decided: dict[str, Any]) -> "Decision":
        """One decision of a model, with a random thought: `decided` is what `call` or `answer` makes."""
        from course.models import Decision, ToolCall

        if "answer" in decided:
            return Decision(self.words(), answer=decided["answer"])
        return Decision(self.words(), tool_call=ToolCall(decided["tool"], decided["args"]))

    def step(self, decided: dict[str, Any], observation: Any = None, scores: Sequence[float] = ()) -> dict[str, Any]:
        """One step of a verified run as a trace holds it: decision, judgments (one for each of `scores`), observation.

        observation: None on an answer; on a call, what the tool returned, or a whole `{"ok", "content"}`.
        """
        asked = None if "answer" in decided else {"tool": decided["tool"], "args": decided["args"]}
        seen = observation
        if asked is not None and not (isinstance(seen, dict) and set(seen) == {"ok", "content"}):
            seen = {"ok": True, "content": observation}
        judgments = [
            {"verifier": self.word(), "phase": "post_act", "score": score, "passed": True, "reason": self.words()}
            for score in scores
        ]
        decision = {"thought": self.words(), "tool_call": asked, "answer": decided.get("answer")}
        return {"decision": decision, "judgments": judgments, "observation": seen}

    def verifier(self, phase: "Phase", *judgments: "Judgment") -> "NamedVerifier":
        """A counted verifier under a random name: it gives `judgments` in turn, and from then on the last of them."""
        from course.judging import NamedVerifier

        name, waiting = self.name(), list(judgments)

        def judge(_context: Any) -> Any:
            return waiting.pop(0) if len(waiting) > 1 else waiting[0]

        return NamedVerifier(name, phase, self.tool(judge, name=name))

    def outcomes(self, *outcomes: Any) -> Callable[..., Any]:
        """What a tool may do, call by call: an exception is raised, anything else returned; after the last, words."""
        waiting = list(outcomes)

        def next_outcome(**_: Any) -> Any:
            outcome = waiting.pop(0) if waiting else self.words(2)
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        return next_outcome

    def defects(self, few: bool = False) -> list[BaseException]:
        """What no tool is expected to raise, in random order: many kinds of exception, an own one, and two stops.

        few: only one of each family, for a case that looks whether what was asked before still holds.
        """
        kinds: tuple[type[BaseException], ...] = (Misprint, KeyError, TypeError, OSError, KeyboardInterrupt)
        if not few:
            kinds += (
                IndexError, ValueError, AttributeError, RuntimeError, ZeroDivisionError, AssertionError, SystemExit,
            )  # fmt: skip
        return [kind(self.words()) for kind in self.rng.sample(kinds, len(kinds))]

    def clock(self) -> Clock:
        """A clock that stands at a random time until something lets time pass."""
        return Clock(float(self.number(1_000, 9_000)))

    def answer(self) -> dict[str, Any]:
        """A decision that is an answer, in random words."""
        return {"answer": self.words(4)}

    def made_receipt(
        self, steps: int, stopped_because: str = "answered", answer: str | None = None, refusal: str | None = None
    ) -> dict[str, Any]:
        """A receipt with random steps, as a loop would return it."""
        made = [
            {"tool": self.name(), "args": {"topic": self.word(), "page": self.number(1, 99)}, "result": self.words()}
            for _ in range(steps)
        ]
        return {"steps": made, "stopped_because": stopped_because, "answer": answer, "refusal": refusal}

    def documents(self, *tags: tuple[str, ...]) -> list["Document"]:
        """One document of a corpus for each of `tags`, with random ids that are no two alike, in no order."""
        from course.data import Document

        numbers = self.rng.sample(range(1000, 10000), len(tags))
        made = [
            Document(f"{self.word()}-{number}", self.words(2), carried, self.words(6))
            for number, carried in zip(numbers, tags, strict=True)
        ]
        self.rng.shuffle(made)
        return made

    def interpreter(self) -> dict[str, CountedTool]:
        """What differs from one Python interpreter to the next, as counted functions: `hash`, `set` and `now`.

        `hash(text)` is salted anew, `set(items)` lists the different items in an order of its own, which is never the
        sorted one, and `now()` has gone on since the interpreter before.
        """
        salt, self._seconds = self.words(1), self._seconds + self.number(60, 90_000)
        moment = self._seconds

        def salted_hash(text: str) -> int:
            return crc32(f"{salt}{text}".encode()) + 2**40

        def unordered(items: Iterable[str] = ()) -> list[str]:
            listed = sorted(dict.fromkeys(items), key=salted_hash)
            return listed if listed != sorted(listed) else listed[::-1]

        functions: dict[str, Callable[..., Any]] = {"hash": salted_hash, "set": unordered, "now": lambda: moment}
        return {name: self.tool(function, name=name) for name, function in functions.items()}

    def messages(self) -> list[dict[str, Any]]:
        """Two messages of a conversation, in random words."""
        return [{"role": role, "content": self.words()} for role in ("user", "assistant")]

    def replies(self, count: int) -> list[dict[str, Any]]:
        """`count` different replies of a model, as plain data: a text, and one tool asked for with nested arguments."""
        args = [{"topic": self.words(), "pages": [1, self.number(2, 99)]} for _ in range(count)]
        return [{"text": self.words(), "tool_calls": [{"name": self.name(), "args": given}]} for given in args]

    def run(self) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
        """Everything that a scripted run depends on, as plain data: task, script, manifest, budgets."""
        schema = {"type": "object", "properties": {self.word(): {"type": "string"}}}
        manifest = [{"name": self.name(), "description": self.words(), "schema": schema}]
        budgets = {"max_turns": self.number(2, 99_999), "max_tokens": self.number(100, 99_999)}
        return self.words(), self.replies(2), manifest, budgets

    def transcript(self, count: int) -> "Transcript":
        """An intact transcript of `count` records, all of random kinds and payloads."""
        from course.transcript import Transcript

        made = Transcript()
        for page in range(count):
            made.append(self.word(), {"topic": self.words(), "pages": [page, self.number(2, 99)], "ok": True})
        return made

    def name(self) -> str:
        """A tool name that is not taken."""
        while True:
            name = f"{self.rng.choice(_PLACES)}_{self.rng.choice(_THINGS)}"
            if name not in self.tools:
                return name

    def word(self) -> str:
        """One random word."""
        return self.rng.choice(_WORDS)

    def distinct_words(self, count: int) -> list[str]:
        """So many different words, in no order: never the sorted one."""
        drawn = self.rng.sample(_WORDS, count)
        return drawn if drawn != sorted(drawn) else drawn[::-1]

    def words(self, count: int = 3) -> str:
        """Random words with a number, so that no two are alike."""
        return " ".join([*(self.word() for _ in range(count)), str(self.number(100, 9999))])

    def secret(self) -> str:
        """A key in letters of both cases and digits, which occurs in nothing else that is made here."""
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        return "sk-" + "".join(self.rng.choices(letters, k=16))

    def number(self, low: int, high: int) -> int:
        """A random integer from `low` to `high`, both included."""
        return self.rng.randint(low, high)

    # ---------------------------------------------------------------- the window in which calls count
    def open(self, number: int) -> str:
        """Open the window for one request; only calls that carry the returned id count."""
        self._open_run = f"{number}-{self.rng.getrandbits(64):016x}"
        return self._open_run

    def close_window(self) -> None:
        """The request was answered: the window closes, and what is called from here on is late."""
        self._open_run = None

    def close(self) -> None:
        """The case is over."""
        self._open_run, self._closed = None, True

    def admit(self, run: object, tool: object, args: list[Any], kwargs: dict[str, Any]) -> str | None:
        """Whether a call may run now: None, or the sentence with which it is refused."""
        name = getattr(tool, "name", getattr(tool, "__name__", "tool"))
        if run != self._open_run or self._closed:
            if len(self.ledger.entries) < self.max_calls:
                self.ledger.entries.append(Call(name, deepcopy(kwargs or {"*": args}), late=True))
            return "the check has closed its ledger: the call came after the loop had returned"
        if len(self.ledger.entries) >= self.max_calls:
            self.over_limit = True
            return f"more than {self.max_calls} tool calls in one case"
        return None
