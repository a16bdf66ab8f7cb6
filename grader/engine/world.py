"""The world that a check builds for one case: counted tools under random names, random words, limits, the ledger.

Everything random comes from the case's seed. The ledger is written here, on the check's side, at the moment a call
arrives: it is what happened, whatever the student reports.
"""

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from grader.engine.expect import Seen, show

MAX_CALLS = 200

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
    """One call that reached a tool of the world. `args` is a copy; `error` is the text of what the tool raised."""

    tool: str
    args: dict[str, Any]
    result: Any = None
    error: str | None = None
    late: bool = False

    def __str__(self) -> str:
        if self.late:
            end = "called after the loop had returned"
        elif self.error is not None:
            end = self.error
        else:
            end = show(self.result, 80)
        return f"{self.tool}({show(self.args, 120)}) -> {end}"


@dataclass
class Ledger:
    """Every call of one case, in the order in which they arrived."""

    entries: list[Call] = field(default_factory=list)

    def calls(self, tool: "CountedTool | None" = None) -> Seen:
        """How many calls reached `tool`, or any tool, while the loop ran."""
        return Seen(len(self._of(tool)), f"calls that reached {tool.name if tool else 'the tools'}")

    def arguments(self, tool: "CountedTool | None" = None) -> Seen:
        """The arguments of those calls, in order."""
        return Seen(
            [call.args for call in self._of(tool)], f"arguments that reached {tool.name if tool else 'the tools'}"
        )

    def _of(self, tool: "CountedTool | None") -> list[Call]:
        return [call for call in self.entries if not call.late and (tool is None or call.tool == tool.name)]

    def steps(self) -> list[dict[str, Any]]:
        """The steps that a true receipt holds: the calls that arrived in time and returned."""
        done = [call for call in self.entries if call.error is None and not call.late]
        return [{"tool": call.tool, "args": call.args, "result": call.result} for call in done]

    def late(self) -> list[Call]:
        """The calls that arrived when the loop had already returned."""
        return [call for call in self.entries if call.late]


class CountedTool:
    """A tool of the world: calling it is written into the ledger.

    fn: called with the student's arguments; after: answers that many times, then raises `error`;
    raises: raised from the first call on.
    """

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
        entry = Call(self.name, deepcopy(kwargs if not args else {"*": list(args), **kwargs}))
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
        entry.result = deepcopy(result)
        return result


class World:
    """What one case brings along. `tools` is what most exercises hand to the student: name -> tool."""

    def __init__(self, seed: str, max_calls: int = MAX_CALLS) -> None:
        self.rng = random.Random(seed)
        self.ledger = Ledger()
        self.tools: dict[str, CountedTool] = {}
        self.max_calls = max_calls
        self.over_limit = False
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
    ) -> CountedTool:
        """A new counted tool, also under its name in `tools`.

        fn: what it answers; without one it answers fresh words, which nobody can know without having called it.
        after: it answers that many times, then raises `error`; a text becomes a ToolError that starts with the name.
        """
        from course.errors import ToolError

        name = name or self.name()
        raised = ToolError(f"{name}: {error}") if isinstance(error, str) else error
        made = CountedTool(name, self.ledger, fn or (lambda **_: self.words(2)), after, raised)
        self.tools[name] = made
        return made

    def call(self, tool: CountedTool, **args: Any) -> dict[str, Any]:
        """A decision to call `tool`; without arguments given, one with a random word."""
        return {"tool": tool.name, "args": args or {"topic": self.words(2)}}

    def calls(self, tool: CountedTool, count: int) -> list[dict[str, Any]]:
        """`count` decisions to call `tool`, all with different arguments."""
        return [self.call(tool, topic=self.word(), page=page) for page in range(1, count + 1)]

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

    def name(self) -> str:
        """A tool name that is not taken."""
        while True:
            name = f"{self.rng.choice(_PLACES)}_{self.rng.choice(_THINGS)}"
            if name not in self.tools:
                return name

    def word(self) -> str:
        """One random word."""
        return self.rng.choice(_WORDS)

    def words(self, count: int = 3) -> str:
        """Random words with a number, so that no two are alike."""
        return " ".join([*(self.word() for _ in range(count)), str(self.number(100, 9999))])

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
