"""Claims about what a student returned. A claim that does not hold says: expected, got, and why it matters."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from grader.engine.wire import FOLDER

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# What one system, or one version of Python, numbers or words otherwise than another.
_NUMBER = re.compile(r"\[Errno \d+\] ")
_TOO_DEEP = re.compile(
    r"(?:maximum recursion depth exceeded|Stack overflow \(used \d+ kB\))"
    r"(?: in comparison| in __\w+__| while (?:calling a Python object|getting the \w+ of an object"
    r"|(?:de|en)coding a JSON \w+(?: from a unicode string)?))?"
)
_NO_CONTAINER = "is not a container or iterable"  # Python 3.14 for what was "is not iterable"
_FOLDER_ENDS = re.compile(r"\d+[\\/]+")
_TEXT = {str}
_COMPARED_BY_VALUE = frozenset({type(None), bool, int, str, bytes})  # `==` says it all, once the types are the same
_LONG = 300  # characters of a value that a message shows in full
ONE_SPEAKS = "an answer beside a stop that was not an answer is a fault; so is an empty refusal"


class Failure(Exception):
    """A claim that did not hold.

    expected, got: one short sentence or value each; because: why it matters, or "".
    """

    def __init__(self, expected: str, got: str, because: str = "") -> None:
        super().__init__(f"expected {expected}; got {got}")
        self.expected = expected
        self.got = got
        self.because = because


class Seen:
    """A copy of a value that a student returned, with the place where it was found, for a message that can name it.

    `seen["key"]` and `seen[0]` go deeper; what is not there is the student's failure, not the check's.
    `plain` is the value itself, of builtin types only; in it, a `Remote` stands for what is no data.
    bare: by itself the value says nothing, as a count does: a message names its place on both sides.
    """

    def __init__(self, plain: Any, place: str, bare: bool = False) -> None:
        self.plain = plain
        self.place = place
        self.bare = bare

    def __getitem__(self, key: Any) -> "Seen":
        try:
            return Seen(self.plain[key], f"{self.place}[{key!r}]")
        except (KeyError, IndexError, TypeError):
            raise Failure(f"{self.place} with {key!r} in it", show(self.plain)) from None

    def __iter__(self) -> Iterator["Seen"]:
        if not isinstance(self.plain, list | tuple):
            raise Failure(f"{self.place} as a list", show(self.plain))
        return (Seen(item, f"{self.place}[{n}]") for n, item in enumerate(self.plain))

    def __len__(self) -> int:
        if not isinstance(self.plain, list | tuple | dict | str | set | frozenset | bytes):
            raise Failure(f"{self.place} with a length", show(self.plain))
        return len(self.plain)

    def each(self, key: Any) -> "Seen":
        """`[item[key] for item in self]`, as one value: `records.each("kind")`."""
        return Seen([item[key].plain for item in self], f"each [{key!r}] of {self.place}")

    def __repr__(self) -> str:
        return show(self.plain)


class Expectation:
    """What `expect(value)` returns: each method is a claim, and raises `Failure` where it does not hold."""

    def __init__(self, value: object, because: str) -> None:
        self._place = value.place if isinstance(value, Seen) else ""
        self._bare = isinstance(value, Seen) and value.bare
        self._value: Any = value.plain if isinstance(value, Seen) else value
        self._because = because

    def _fail(self, expected: str, because: str) -> None:
        got = show(self._value)
        raise Failure(expected, f"{self._place} = {got}" if self._place else got, because or self._because)

    def _fail_at_a_place(self, wanted: object, because: str) -> None:
        """Of two large values the first place in which they part, which a shortened text of both may leave out."""
        place, mine, theirs = _first_difference(self._value, wanted, "")
        if place:
            got = f"{self._place or 'the value'}{place} = {show(mine)}"
            raise Failure(f"{show(theirs)} at {place}", got, because or self._because)

    def _fail_at_a_line(self, wanted: str, because: str) -> None:
        """Of two long texts the first line in which they part says more than both of them."""
        mine, theirs = self._value.split("\n"), wanted.split("\n")
        number = next((n for n, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
        if number is None:
            raise Failure(f"{len(theirs)} lines", f"{len(mine)} lines: {show(self._value)}", because or self._because)
        at = f"line {number + 1}: "
        raise Failure(at + show(theirs[number]), at + show(mine[number]), because or self._because)

    def equals(self, wanted: object, because: str = "") -> "Expectation":
        """Equal in value and in type all the way down: 1, 1.0 and True differ."""
        if not same(self._value, wanted):
            if isinstance(wanted, str) and isinstance(self._value, str) and "\n" in wanted:
                self._fail_at_a_line(wanted, because)
            if max(len(_repr(wanted)), len(_repr(self._value))) > _LONG:
                self._fail_at_a_place(wanted, because)
            self._fail(f"{self._place} = {show(wanted)}" if self._bare else show(wanted), because)
        return self

    def differs(self, unwanted: object, because: str = "") -> "Expectation":
        """The opposite of `equals`."""
        if same(self._value, unwanted):
            self._fail(f"anything but {show(unwanted)}", because)
        return self

    def one_of(self, wanted: Collection[object], because: str = "") -> "Expectation":
        """Equal to one of `wanted`."""
        if not any(same(self._value, one) for one in wanted):
            self._fail("one of " + ", ".join(show(one) for one in wanted), because)
        return self

    def contains(self, *parts: str, because: str = "") -> "Expectation":
        """A text in which each of `parts` occurs."""
        for part in parts:
            if not isinstance(self._value, str) or part not in self._value:
                self._fail(f"a text with {show(part)} in it", because)
        return self

    def lacks(self, *parts: str, because: str = "") -> "Expectation":
        """A text in which none of `parts` occurs."""
        for part in parts:
            if not isinstance(self._value, str) or part in self._value:
                self._fail(f"a text without {show(part)}", because)
        return self

    def is_none(self, because: str = "") -> "Expectation":
        """None itself."""
        if self._value is not None:
            self._fail("None", because)
        return self

    def is_text(self, because: str = "") -> "Expectation":
        """A text that says something."""
        if not isinstance(self._value, str) or not self._value.strip():
            self._fail("a text that is not empty", because)
        return self

    def is_true(self, because: str = "") -> "Expectation":
        """True itself, not something that counts as true."""
        if self._value is not True:
            self._fail("True", because)
        return self

    def is_a(self, *kinds: type, because: str = "") -> "Expectation":
        """Of one of `kinds`; a bool is no int here."""
        if type(self._value) not in kinds:
            self._fail("a value of type " + " or ".join(kind.__name__ for kind in kinds), because)
        return self

    def has_keys(self, *keys: str, because: str = "") -> "Expectation":
        """A dict with exactly these keys."""
        if not isinstance(self._value, dict):
            self._fail("a dict with the keys " + ", ".join(keys), because)
        elif set(self._value) != set(keys):
            missing = sorted(set(keys) - set(self._value))
            extra = sorted(show(k, 40) for k in set(self._value) - set(keys))
            what = [f"missing {', '.join(missing)}"] * bool(missing) + [f"not wanted {', '.join(extra)}"] * bool(extra)
            self._fail(f"exactly the keys {', '.join(keys)} ({'; '.join(what)})", because)
        return self

    def has_length(self, length: int, because: str = "") -> "Expectation":
        """A list, dict or text of this length."""
        if not isinstance(self._value, list | tuple | dict | str | set | frozenset) or len(self._value) != length:
            self._fail(f"{length} of them", because)
        return self

    def has_some(self, what: str, because: str = "") -> "Expectation":
        """A list that is not empty; `what` names one of its items in the message."""
        if not isinstance(self._value, list | tuple) or not self._value:
            self._fail(f"at least one {what}", because)
        return self

    def is_about(self, wanted: float | Decimal, because: str = "") -> "Expectation":
        """A number of any type, equal to `wanted` but for the last digits that the order of a sum may change."""
        if not _is_number(self._value) or _is_nan(self._value) or abs(float(self._value) - float(wanted)) > 1e-9:
            self._fail(show(wanted), because)
        return self

    def is_at_most(self, most: float, because: str = "") -> "Expectation":
        """A number no larger than `most`."""
        if not _is_number(self._value) or _is_nan(self._value) or self._value > most:
            self._fail(f"at most {most}", because)
        return self


def expect(value: object, because: str = "") -> Expectation:
    """Begin a claim about `value`, a `Seen` or any plain value; `because` says why it matters."""
    return Expectation(value, because)


class Raised:
    """What the student's code raised, once `expect_raises` has been left: its text, and the exception it came from.

    text: a `Seen` text. cause: a `Seen` exception, set with `raise ... from`, or a `Seen` None.
    """

    def __init__(self) -> None:
        self._error: BaseException | None = None
        self.text = self.cause = Seen(None, "what was raised")

    def fill(self, error: BaseException, text: str) -> None:
        """Called when it is there."""
        self._error, name = error, type(error).__name__
        self.text, self.cause = Seen(text, f"the text of the {name}"), Seen(error.__cause__, f"its __cause__ ({name})")

    def is_the(self, error: BaseException, because: str = "") -> None:
        """It is `error`, which a tool of the world raised: no copy of it, and nothing was put behind it."""
        name = type(error).__name__
        if self._error is not error:
            raise Failure(f"the very {name} that the tool raised", f"another one, {show(self.text)}", because)
        if error.__cause__ is not None:
            raise Failure(
                f"the {name} as it was raised", f"the same with {show(error.__cause__)} as its cause", because
            )

    def is_exactly(self, kind: type[BaseException], text: str, because: str = "") -> None:
        """It is of `kind` itself, of no class below it that the course knows, and its text is `text`."""
        if type(self._error) is not kind:
            raise Failure(f"a {kind.__name__}", f"a {type(self._error).__name__}: {show(self.text)}", because)
        expect(self.text, because).equals(text)

    def comes_from(self, error: BaseException, because: str = "") -> None:
        """Its cause is `error`, which a tool of the world raised."""
        if self.cause.plain is not error:
            expected = f"the {type(error).__name__} that was raised, as the __cause__"
            raise Failure(expected, f"__cause__ = {show(self.cause)}", because)


@contextmanager
def expect_raises(
    *kinds: type[BaseException],
    because: str = "",
    saying: Collection[str] = (),
    named: str = "",
    given: bool = False,
) -> Iterator[Raised]:
    """The student's code must raise one of `kinds` in the enclosed call, with each of `saying` in its text.

    named: a class of the student's own, or of the session's given code, of which the exception must be.
    given: a class of the same name that the student has made does not count.
    """
    wanted = named or " or ".join(kind.__name__ for kind in kinds)
    raised = Raised()
    try:
        yield raised
    except Exception as outcome:
        error = getattr(outcome, "error", None)
        if error is None:
            raise
        text = getattr(outcome, "text", portable(str(error)))
        lineage = getattr(outcome, "lineage", [type(error).__name__])
        if not isinstance(error, kinds) or (named and named not in lineage):
            raise Failure(f"{wanted} to be raised", f"{lineage[0]}: {text}", because) from None
        if given and not {kind.__name__ for kind in kinds} & set(getattr(outcome, "given", lineage)):
            raise Failure(f"the {wanted} that was given", f"another class of that name: {text}", because) from None
        raised.fill(error, text)
        for part in saying:
            if part not in text:
                raise Failure(f"{wanted} with {show(part)} in its text", show(text), because) from None
    else:
        # The judge adds what the call returned.
        raise Failure(f"{wanted} to be raised", "no exception", because)


def expect_refusal(receipt: Any, naming: str) -> None:
    """Both halves of the contract on a stop that is no answer, and the name of the tool concerned.

    receipt: a `Seen` receipt with `answer` and `refusal`.
    """
    expect(receipt["answer"]).is_none(because=ONE_SPEAKS)
    expect(receipt["refusal"]).is_text(because=ONE_SPEAKS)
    expect(receipt["refusal"]).contains(naming, because="every refusal names the tool concerned")


def expect_fault(faults: Any, index: int, kind: str, because: str = "", behind: bool = False) -> None:
    """The first of the faults that a verifier names is this one.

    faults: a `Seen` list of dicts with `index` and `kind`. behind: others may stand before it, but none at its index.
    """
    named = [(one["index"].plain, one["kind"].plain) for one in faults]
    if behind:
        named = [one for one in named if same(one[0], index)]
    if not named or not same(named[0], (index, kind)):
        expected = f"{'among others' if behind else 'first of all'} a fault of the kind {kind!r} at index {index}"
        got = f"{show(named[0][1])} at index {show(named[0][0])}" if named else "none there" if behind else "no fault"
        raise Failure(expected, got, because)


def same(one: Any, other: Any) -> bool:
    """Equal in value and in type all the way down. Both are of builtin types: no code of a student runs here."""
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in _COMPARED_BY_VALUE:  # most of what there is, so it is asked first
        return bool(one == other)
    if isinstance(one, dict):
        return _same_keys(one, other) and all(same(item, other[key]) for key, item in one.items())
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, set | frozenset):
        return _same_keys(one, other)
    if _is_nan(one) or _is_nan(other):
        return _is_nan(one) and _is_nan(other)
    return bool(one == other)


def _first_difference(mine: Any, wanted: Any, place: str) -> tuple[str, Any, Any]:
    """(place, what is there, what should be there) of the first difference; the place is "" where the whole differs."""
    if type(mine) is type(wanted) and isinstance(mine, dict) and _same_keys(mine, wanted):
        key = next(key for key in wanted if not same(mine[key], wanted[key]))
        return _first_difference(mine[key], wanted[key], f"{place}[{show(key, 60)}]")
    if type(mine) is type(wanted) and isinstance(mine, list | tuple) and len(mine) == len(wanted):
        number = next(n for n in range(len(mine)) if not same(mine[n], wanted[n]))
        return _first_difference(mine[number], wanted[number], f"{place}[{number}]")
    return place, mine, wanted


def _same_keys(one: Collection[Any], other: Collection[Any]) -> bool:
    if set(map(type, one)) == _TEXT == set(map(type, other)):
        return set(one) == set(other)
    return len(one) == len(other) and set(map(_typed, one)) == set(map(_typed, other))


def _typed(key: Any) -> Any:
    """A key or a member of a set, with the types that `==` overlooks."""
    if isinstance(key, tuple | frozenset):
        return (type(key), type(key)(map(_typed, key)))
    return (type(key), key)


def show(value: object, limit: int = 300) -> str:
    """A short `repr` of a plain value, in the middle of which a long one is cut."""
    text = portable(_repr(value))
    if len(text) > limit:
        head = limit * 2 // 3
        text = f"{text[:head]} … ({len(text):,} characters) … {text[-(limit - head) :]}"
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def portable(text: str) -> str:
    """`text` without addresses, temporary folders and what else is another tomorrow, or on another machine.

    Numbers of system errors go, and what versions of Python word in several ways is said in one.
    """
    text = _NUMBER.sub("", _ADDRESS.sub(" at 0x…", text)).replace(_NO_CONTAINER, "is not iterable")
    if "recursion depth exceeded" in text or "Stack overflow (" in text:
        text = _TOO_DEEP.sub("maximum recursion depth exceeded", text)
    first, *rest = text.split(FOLDER)
    kept = [first]
    for part in rest:  # no pattern for a whole path: on a text without spaces it would take its length squared
        end = _FOLDER_ENDS.match(part)
        start = max(kept[-1].rfind(mark) for mark in " '\"\n") + 1
        kept[-1] = kept[-1][:start] if end else kept[-1] + FOLDER
        kept.append(part[end.end() :] if end else part)
    return "".join(kept)


def _repr(value: object) -> str:
    if isinstance(value, str) and len(value) > 10_000:
        value = value[:10_000]
    try:
        return repr(_in_order(value))
    except (RecursionError, ValueError):  # an int of more digits than repr gives
        return f"<{type(value).__name__}>"


class _Set:
    """Shows a set in an order that does not depend on how this process hashes text."""

    def __init__(self, members: set[Any] | frozenset[Any]) -> None:
        self._members = members

    def __repr__(self) -> str:
        if not self._members:
            return repr(self._members)
        inside = "{" + ", ".join(sorted(map(_repr, self._members))) + "}"
        return inside if type(self._members) is set else f"{type(self._members).__name__}({inside})"


def _in_order(value: Any) -> Any:
    """The same to look at, with its sets in order."""
    kind = type(value)
    if kind is dict:
        return {_in_order(key): _in_order(item) for key, item in value.items()}
    if kind in (list, tuple):
        return kind(map(_in_order, value))
    return _Set(value) if isinstance(value, set | frozenset) else value


def _escape(char: str) -> str:
    return char if char in " \n" else char.encode("unicode_escape", "surrogatepass").decode("ascii")


def _is_nan(value: object) -> bool:
    # A signalling NaN raises as soon as it is compared with anything, itself included.
    return value.is_nan() if isinstance(value, Decimal) else isinstance(value, float) and value != value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
