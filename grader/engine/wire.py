"""The one codec between a check and a student: data crosses by copy, callables and objects by id, exceptions by type.

Nothing that crosses can carry behaviour: a `dict` subclass arrives as a dict, an object whose `__eq__` is always true
arrives as a reference to something that stayed where it was. The same codec serves the in-process transport, where
it makes the copies, and the sandbox, where its output travels as one line of JSON.

Encoded form: None, booleans, text, 64-bit integers, finite floats, lists and dicts with text keys are themselves;
everything else is an object with the key "$" that names its kind.
"""

import builtins
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from typing import Any, cast

Json = Any  # what json.loads may return
MAX_DEPTH = 60
MAX_CAUSES = 3  # of an exception, one behind the other
MAX_NODES = 200_000
MAX_TEXT = 2_000_000  # characters and bytes, over the whole value
FOLDER = "file-of-the-check-"  # and a number: where the student's side puts a file that the check hands over
_SMALL_INT = 2**63
_TEXT = frozenset({str})
_LEAVES = frozenset({type(None), bool, int, float, str})  # in the encoded form
COURSE_ERRORS = ("ToolError", "UnavailableError")  # classes of `course.errors`, which cross as what they are
_cause = vars(BaseException)["__cause__"].__get__  # not `error.__cause__`, which a class may have replaced
_attributes = vars(BaseException)["__dict__"].__get__
_ID = "_id_at_the_check"  # an attribute that tells the very exception of a check from another that looks like it
_builtin_exceptions = {
    name: kind for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
}


class WireError(ValueError):
    """A value that cannot cross: too deep, too large, or not of the encoded form."""


@dataclass(frozen=True)
class Reference:
    """Something that stays on the other side: who owns it, its id there, and how it presented itself."""

    owner: str
    id: int
    type_name: str
    callable: bool


class Exports:
    """What one side has handed to the other by reference. The same object keeps the same id."""

    def __init__(self) -> None:
        self._objects: dict[int, object] = {}
        self._ids: dict[int, int] = {}

    def add(self, value: object) -> int:
        """The id of `value`; the table keeps it alive, so that its id stays its own."""
        number = self._ids.get(id(value))
        if number is None:
            number = len(self._objects) + 1
            self._ids[id(value)] = number
            self._objects[number] = value
        return number

    def __getitem__(self, number: int) -> object:
        try:
            return self._objects[number]
        except (KeyError, TypeError):
            raise WireError(f"no object was handed over under the id {number!r}") from None


class End:
    """One end of the wire.

    owner: "check" or "student", whose references this end hands out.
    imported: makes a local stand-in for a reference that belongs to the other side.
    records: names of dataclasses that cross by copy, each with the type to build on this end.
    errors: resolves the name of an exception class that is not a builtin, or returns None.
    """

    def __init__(
        self,
        owner: str,
        imported: Callable[[Reference], object],
        errors: Callable[[str], type[BaseException] | None],
    ) -> None:
        self.owner = owner
        self.exports = Exports()
        self._imported = imported
        self._errors = errors

    # ---------------------------------------------------------------- out
    def encode(self, value: object) -> Json:
        """The encoded form of `value`; raises `WireError` where it is too deep or too large."""
        return _Encoder(self).encode(value, 0)

    def encode_error(self, error: BaseException) -> Json:
        """An exception by type: the names of its class and bases, its data arguments, its text, and its cause.

        One that the check has raised has an id as well, by which the check knows it when it comes back.
        """
        return self._encode_error(error, MAX_CAUSES)

    def _encode_error(self, error: BaseException, causes: int) -> Json:
        # A class of a student's may override its text and its arguments, and then they may raise anything.
        try:
            text = str.__str__(str(error))
        except BaseException:
            text = "(an exception whose text cannot be read)"
        try:
            arguments = self.encode([a for a in error.args if _is_plain(a)])
        except BaseException:
            arguments = []
        made = {"lineage": _lineage(type(error)), "args": arguments, "text": _shorten(text, 4000)}
        number = self.exports.add(error) if self.owner == "check" else _attributes(error).get(_ID)
        if number is not None:
            made["id"] = number
        cause = _cause(error)
        if isinstance(cause, BaseException) and causes:
            made["cause"] = self._encode_error(cause, causes - 1)
        return made

    # ---------------------------------------------------------------- in
    def decode(self, data: Json) -> Any:
        """The value that `data` stands for; raises `WireError` where it is not of the encoded form."""
        return self._decode(data, 0)

    def decode_error(self, data: Json) -> BaseException:
        """The exception that `data` stands for, with its cause; one of the check's own is that very object again.

        Another is of the nearest class that both sides know; on the student's side of a class below it, by its name.
        """
        error = self._returned(data)
        if error is None:
            error = self._decode_error(data)
            if self.owner == "student" and "id" in data:
                _attributes(error)[_ID] = data["id"]
        cause = data.get("cause")
        error.__cause__ = None if cause is None else self.decode_error(cause)
        return error

    def _returned(self, data: Json) -> BaseException | None:
        """The exception of the check that comes back to it, if `data` stands for one."""
        if self.owner != "check" or not isinstance(data, dict) or type(data.get("id")) is not int:
            return None
        known = self.own(data["id"])
        return known if isinstance(known, BaseException) and isinstance(data.get("text"), str) else None

    def _decode_error(self, data: Json) -> BaseException:
        if not isinstance(data, dict) or not isinstance(data.get("text"), str):
            raise WireError("an exception without its text")
        lineage, arguments = data.get("lineage"), self.decode(data.get("args", []))
        if not isinstance(lineage, list) or not isinstance(arguments, list):
            raise WireError("an exception without its lineage and arguments")
        for name in lineage:
            if not isinstance(name, str):
                raise WireError("an exception whose lineage is no list of names")
            kind = _builtin_exceptions.get(name) or self._errors(name)
            if kind is not None:
                # Some refuse what is left of their arguments; the class below them in the lineage will do.
                with suppress(TypeError, ValueError):
                    if self.owner == "student" and name != lineage[0]:
                        kind = type(lineage[0].rpartition(".")[2], (kind,), {})
                    return kind.__new__(kind, *(arguments or [data["text"]]))
        return Exception(data["text"])

    def own(self, number: int) -> Any:
        """What this end handed out under the id `number`."""
        value = self.exports[number]
        return value.value if type(value) is Kept else value

    def _decode(self, data: Json, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise WireError(f"nested deeper than {MAX_DEPTH} levels")
        form = type(data)  # JSON has no subclasses
        if form in _LEAVES:
            return data
        # A leaf is asked for where it stands: a call for each of them would take most of the time.
        if form is list:
            return [item if type(item) in _LEAVES else self._decode(item, depth + 1) for item in data]
        if form is dict:
            kind = data.get("$")
            if kind is None:
                return {
                    key: item if type(item) in _LEAVES else self._decode(item, depth + 1) for key, item in data.items()
                }
            try:
                return self._decode_tagged(kind, data, depth)
            except WireError:
                raise
            except Exception as error:  # a forged form may make a constructor raise anything
                raise WireError(f"not a {kind!r}: {type(error).__name__}: {error}") from None
        raise WireError(f"not of the encoded form: {form.__name__}")

    def _decode_tagged(self, kind: str, data: Mapping[str, Json], depth: int) -> Any:
        value: Any = data.get("v")
        match kind:
            case "int":
                return int(value)
            case "float" | "decimal":
                return float(value) if kind == "float" else Decimal(value)
            case "text":
                return bytes.fromhex(value).decode("utf-8", "surrogatepass")
            case "bytes":
                return bytes.fromhex(value)
            case "tuple":
                return tuple(self._decode(item, depth + 1) for item in value)
            case "set" | "frozenset":
                items = [self._decode(item, depth + 1) for item in value]
                return set(items) if kind == "set" else frozenset(items)
            case "dict":
                return {self._decode(k, depth + 1): self._decode(v, depth + 1) for k, v in value}
            case "error":
                return self.decode_error(value)
            case "record":
                content = {str(k): self._decode(v, depth + 1) for k, v in value.items()}
                return _course_record(data["type"])(**content)
            case "ref":
                reference = Reference(
                    str(data["owner"]), int(data["id"]), str(data["type"])[:200], bool(data["callable"])
                )
                if reference.owner == self.owner:
                    return self.own(reference.id)
                return self._imported(reference)
        raise WireError(f"unknown kind {kind!r}")


class _Encoder:
    """Encodes one value and counts what it has written, so that a bomb is refused while it unfolds."""

    def __init__(self, end: End) -> None:
        self._end = end
        self._nodes = 0
        self._text = 0

    def encode(self, value: Any, depth: int) -> Json:
        # The methods are taken from the base types: a subclass that lies about its content is not asked.
        if depth > MAX_DEPTH:
            raise WireError(f"nested deeper than {MAX_DEPTH} levels, or it contains itself")
        kind = type(value)
        # Most of what crosses comes first.
        if kind is str and value.isascii():
            self._count(1, len(value))
            return value
        # Copied in one step, since a thread of the student's may be writing into them.
        if kind is dict:
            return self._mapping(value.copy(), depth)
        if kind is list:
            return self._items(value.copy(), depth)
        if value is None or kind is bool:
            return value
        if issubclass(kind, int):
            return self._integer(int.__add__(value, 0))
        if issubclass(kind, float):
            return _number(float.__mul__(value, 1.0))
        if issubclass(kind, str):
            return self._string(str.__str__(value))
        if issubclass(kind, list):
            return self._items(list(list.__iter__(value)), depth)
        if issubclass(kind, dict):
            return self._mapping(dict(dict.items(value)), depth)
        if issubclass(kind, tuple | set | frozenset):
            return self._collection(value, kind, depth)
        if issubclass(kind, bytes | bytearray):
            content = memoryview(value).tobytes()
            self._count(1, len(content))
            return {"$": "bytes", "v": content.hex()}
        if issubclass(kind, Decimal):
            return {"$": "decimal", "v": Decimal.__str__(value)}
        return self._other(value, kind, depth)

    def _other(self, value: Any, kind: type, depth: int) -> Json:
        if issubclass(kind, Stays):
            reference = value.reference
            return {
                "$": "ref", "owner": reference.owner, "id": reference.id,
                "type": reference.type_name, "callable": reference.callable,
            }  # fmt: skip
        if is_course_record(kind):
            names = [field.name for field in fields(cast(Any, kind))]
            content = {name: self.encode(object.__getattribute__(value, name), depth + 1) for name in names}
            return {"$": "record", "type": f"{kind.__module__}:{kind.__qualname__}", "v": content}
        if issubclass(kind, BaseException):
            return {"$": "error", "v": self._end.encode_error(value)}
        return {
            "$": "ref",
            "owner": self._end.owner,
            "id": self._end.exports.add(value),
            "type": _shorten(self._name(value, kind), 100),
            "callable": callable(value),
        }

    def _name(self, value: Any, kind: type) -> str:
        """How it presents itself: a tool of the check by its own name; a student's object is not asked, its type is."""
        named = getattr(value, "__name__", None) if self._end.owner == "check" else None
        return str(named or type.__dict__["__name__"].__get__(kind))

    def _count(self, nodes: int, length: int) -> None:
        self._nodes += nodes
        self._text += length
        if self._nodes > MAX_NODES:
            raise WireError(f"more than {MAX_NODES:,} values in one")
        if self._text > MAX_TEXT:
            raise WireError(f"more than {MAX_TEXT:,} characters in one value")

    def _integer(self, value: int) -> Json:
        if -_SMALL_INT <= value < _SMALL_INT:
            return value
        if value.bit_length() > 14_000:  # int() refuses more than 4,300 digits
            raise WireError(f"an integer of {value.bit_length():,} bits")
        return {"$": "int", "v": str(value)}

    def _string(self, value: str) -> Json:
        self._count(1, len(value))
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return {"$": "text", "v": value.encode("utf-8", "surrogatepass").hex()}
        return value

    def _mapping(self, content: dict[Any, Any], depth: int) -> Json:
        if set(map(type, content)) <= _TEXT and "$" not in content and "".join(content).isascii():
            self._text += sum(map(len, content))  # compared with the limit as soon as the values are counted
            return dict(zip(content, self._items(list(content.values()), depth), strict=True))
        pairs = zip(self._items(list(content), depth), self._items(list(content.values()), depth), strict=True)
        return {"$": "dict", "v": [list(pair) for pair in pairs]}

    def _items(self, items: list[Any], depth: int) -> list[Json]:
        """Each of them encoded; what crosses as it is, which is most of them, without a call."""
        self._count(len(items), 0)  # before they unfold, and what they say after: a text is in memory already
        made = []
        length = 0
        for item in items:
            kind = type(item)
            if kind is str and item.isascii():
                length += len(item)
            elif not (item is None or kind is bool or (kind is int and -_SMALL_INT <= item < _SMALL_INT)):
                item = self.encode(item, depth + 1)
            made.append(item)
        if length:
            self._count(0, length)
        return made

    def _collection(self, value: Any, kind: type, depth: int) -> Json:
        base: Any = next(t for t in (tuple, set, frozenset) if issubclass(kind, t))
        items = self._items(list(base.__iter__(value)), depth)
        if base is not tuple:
            items.sort(key=repr)  # a set has no order that two processes agree on
        return {"$": base.__name__, "v": items}


class Kept:
    """Holds data that is to stay where it is, since data by itself would cross as a copy."""

    def __init__(self, value: object) -> None:
        self.value = value


class Stays:
    """Base of local stand-ins for what the other side owns: encoding one gives the reference back."""

    reference: Reference


def _number(value: float) -> Json:
    if value != value or value in (float("inf"), float("-inf")):
        return {"$": "float", "v": repr(value)}
    return value


def _is_plain(value: object) -> bool:
    return value is None or type(value) in (bool, int, float, str, list, dict, tuple)


def _lineage(kind: type) -> list[str]:
    """Class names from the most derived on: bare for builtins and for the course's own, `module.Name` for the rest."""
    names = []
    for base in type.mro(kind):
        module, name = str(type.__dict__["__module__"].__get__(base)), type.__dict__["__name__"].__get__(base)
        own = module == "builtins" or module.startswith("course.")
        names.append(_shorten(name if own else f"{module}.{name}", 200))
    return names


def is_course_record(kind: Any) -> bool:
    """Whether objects of this class cross by copy: it is a dataclass of the course."""
    return is_dataclass(kind) and str(getattr(kind, "__module__", "")).startswith("course.")


def _course_record(name: str) -> Any:
    module, _, qualname = name.partition(":")
    if not module.startswith("course.") or "." in qualname:
        raise WireError(f"{name!r} is no record of the course")
    # Only what is imported already: a name that came over the wire must not make this side run a module.
    kind = getattr(sys.modules.get(module), qualname, None)
    if not isinstance(kind, type) or not is_course_record(kind):
        raise WireError(f"{name!r} is no record of the course")
    return kind


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "…"
