"""The codec: data by copy and by its base type, everything else by reference, and nothing forged gets through."""

import json
from collections import OrderedDict, UserDict
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.data import Document
from course.errors import ToolError
from grader.engine.expect import same
from grader.engine.wire import MAX_DEPTH, MAX_NODES, MAX_TEXT, End, Reference, Stays, WireError
from grader.engine.world import World


class StandIn(Stays):
    def __init__(self, reference: Reference) -> None:
        self.reference = reference


def tool_error(name: str) -> type[BaseException] | None:
    return ToolError if name == "ToolError" else None


def ends() -> tuple[End, End]:
    return End("check", StandIn, tool_error), End("student", StandIn, tool_error)


def crossed(value: object) -> Any:
    """`value` of a student's as it arrives at the check, by way of one line of JSON."""
    there, here = ends()
    return there.decode(json.loads(json.dumps(here.encode(value), allow_nan=False)))


# ----------------------------------------------------------------------------------------------------------- round trip
PLAIN = [
    None, True, False, 0, 1, -1, 2**63 - 1, -(2**63), 2**63, -(2**70), 1.5, -0.0, 1e308, "", "text", "ä 李雷 🙂",
    "half \ud800 a pair", b"", b"\x00\xff", (), (1, (2,)), [], [1, [2, []]], {}, {"a": {"b": [1]}},
    {1: "one", None: 2, (1, 2): 3}, {"$": "int", "v": "1"}, {"ä": 1}, set(), {1, 2}, frozenset({"a"}),
    Decimal("1.10"), Decimal("sNaN"), float("nan"), float("inf"), float("-inf"), {"half \ud800": 1},
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=[ascii(value)[:40] for value in PLAIN])
def test_data_arrives_equal_in_value_and_type(value: object) -> None:
    assert same(crossed(value), value)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.decimals()
keys = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda k: st.tuples(k, k), max_leaves=3)
values = st.recursive(
    scalars | st.frozensets(keys, max_size=3),
    lambda v: st.lists(v, max_size=4) | st.dictionaries(keys, v, max_size=4) | st.tuples(v, v),
    max_leaves=12,
)


@given(values)
@settings(derandomize=True, max_examples=300, deadline=None)
def test_any_data_arrives_equal_in_value_and_type(value: object) -> None:
    assert same(crossed(value), value)


def test_what_arrives_is_a_copy() -> None:
    value = {"list": [1]}
    arrived = crossed(value)
    value["list"].append(2)
    assert arrived == {"list": [1]}


def test_a_record_of_the_course_crosses_by_copy() -> None:
    note = Document("note-1", "a title", ("tag",), "a text")
    assert crossed([note]) == [note]


def test_an_object_goes_by_reference_and_comes_home_as_itself() -> None:
    there, here = ends()
    original = Fraction(1, 2)
    away = there.decode(here.encode([original, len]))
    assert [one.reference.type_name for one in away] == ["Fraction", "builtin_function_or_method"]
    assert [one.reference.callable for one in away] == [False, True]
    home = here.decode(there.encode(away))
    assert home[0] is original and home[1] is len


def test_a_tool_of_the_check_goes_under_its_own_name() -> None:
    check, student = ends()
    tool = World("seed").tool(name="harbour_index")
    assert student.decode(check.encode(tool)).reference.type_name == "harbour_index"


def test_the_same_object_keeps_its_id() -> None:
    here, _ = ends()
    original = object()
    assert here.encode(original) == here.encode(original) != here.encode(object())


# ------------------------------------------------------------------------------------------------- those that lie
class LyingDict(dict):  # type: ignore[type-arg]
    def __getitem__(self, key: object) -> str:
        return "a lie"

    def items(self) -> Any:
        return [("answer", "a lie")]

    def __iter__(self) -> Any:
        return iter(["answer"])

    def __len__(self) -> int:
        return 99

    def __eq__(self, _other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class LyingStr(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "a lie"

    def __eq__(self, _other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __contains__(self, _part: object) -> bool:
        return True

    def encode(self, *_: object) -> bytes:  # type: ignore[override]
        return b"a lie"


class LyingInt(int):
    def __eq__(self, _other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __add__(self, _other: object) -> int:
        return 7

    def __int__(self) -> int:
        return 7

    def __index__(self) -> int:
        return 7


class LyingList(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        return iter(["a lie"])

    def __len__(self) -> int:
        return 99


class LyingFloat(float):
    def __mul__(self, _other: object) -> float:
        return 7.0

    def __float__(self) -> float:
        return 7.0


class LyingBytes(bytes):
    def hex(self, *_: object) -> str:  # type: ignore[override]
        return "00"


class Colour(IntEnum):
    RED = 3


@pytest.mark.parametrize(
    ("liar", "truth"),
    [
        (LyingDict(a=1), {"a": 1}),
        (LyingStr("truth"), "truth"),
        (LyingInt(3), 3),
        (LyingList([1, 2]), [1, 2]),
        (LyingFloat(1.5), 1.5),
        (LyingBytes(b"x"), b"x"),
        (OrderedDict(a=1), {"a": 1}),
        (Colour.RED, 3),
        ({LyingStr("key"): [LyingInt(1)]}, {"key": [1]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_subclass_arrives_as_what_it_really_holds(liar: object, truth: object) -> None:
    assert same(crossed(liar), truth)


class ClaimsToBeADict:
    @property
    def __class__(self) -> Any:
        return dict

    def __eq__(self, _other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def test_an_object_that_only_claims_to_be_data_goes_by_reference() -> None:
    for pretender in (ClaimsToBeADict(), UserDict(a=1)):
        assert isinstance(crossed(pretender), StandIn)


def test_a_class_that_lies_about_its_name_cannot_stop_the_codec() -> None:
    class Meta(type):
        @property
        def __name__(cls) -> str:
            raise RuntimeError("no name for you")

    class Nameless(metaclass=Meta):
        pass

    assert crossed(Nameless()).reference.type_name == "Nameless"


# ----------------------------------------------------------------------------------------------------------- bombs
def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def test_a_value_that_contains_itself_is_refused() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(WireError, match="contains itself"):
        crossed(cycle)


def test_depth_is_limited_on_both_sides() -> None:
    here, there = ends()
    assert crossed(nested(MAX_DEPTH - 1)) == nested(MAX_DEPTH - 1)
    with pytest.raises(WireError, match="deeper"):
        here.encode(nested(MAX_DEPTH + 1))
    with pytest.raises(WireError, match="deeper"):
        there.decode(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize(
    ("bomb", "why"),
    [
        ([0] * (MAX_NODES + 1), "values in one"),
        (["x" * (MAX_TEXT // 2)] * 3, "characters in one value"),
        ({"x" * (MAX_TEXT + 1): 1}, "characters in one value"),
        (b"x" * (MAX_TEXT + 1), "characters in one value"),
        (1 << 20_000, "an integer of 20,001 bits"),
    ],
    ids=["values", "text", "keys", "bytes", "integer"],
)
def test_a_value_that_is_too_large_is_refused(bomb: object, why: str) -> None:
    with pytest.raises(WireError, match=why):
        crossed(bomb)


def test_a_small_list_that_unfolds_to_billions_is_refused() -> None:
    value: list[Any] = []
    for _ in range(40):
        value = [value, value]
    with pytest.raises(WireError, match="values in one"):
        crossed(value)


# ----------------------------------------------------------------------------------------------------------- exceptions
class OwnError(ValueError):
    """A student's own."""


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (KeyError("key"), KeyError, "'key'"),
        (ToolError("index", "gone", ["b", "a"]), ToolError, "index: gone (have: a, b)"),
        (OwnError("mine", 2), ValueError, "('mine', 2)"),
        (FileNotFoundError(2, "No such file"), FileNotFoundError, "[Errno 2] No such file"),
        (ExceptionGroup("several", [ValueError("one")]), ExceptionGroup, "several (1 sub-exception)"),
        (SystemExit(3), SystemExit, "3"),
        (ValueError(), ValueError, ""),
        (ValueError("half \ud800"), ValueError, "half \ud800"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_exception_arrives_as_the_nearest_class_that_both_sides_know(
    error: BaseException, kind: type[BaseException], text: str
) -> None:
    arrived = crossed(error)
    assert type(arrived) is kind
    assert str(arrived) == text


def test_an_exception_that_cannot_be_made_without_its_arguments_arrives_all_the_same() -> None:
    try:
        b"\xff".decode()
    except UnicodeDecodeError as error:
        assert isinstance(crossed(error), UnicodeError)


def hostile_exceptions() -> list[BaseException]:
    class NoText(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no text")

    class NoArguments(Exception):
        @property
        def args(self) -> Any:
            raise RuntimeError("no arguments")

    class OddModule(Exception):
        __module__ = 5  # type: ignore[assignment]

    class LongText(Exception):
        def __str__(self) -> str:
            return LyingStr("x" * 10_000)

    return [NoText("x"), NoArguments(), OddModule("x"), LongText()]


@pytest.mark.parametrize("error", hostile_exceptions(), ids=lambda error: type(error).__name__)
def test_an_exception_that_resists_being_read_is_an_exception_all_the_same(error: BaseException) -> None:
    here, there = ends()
    encoded = here.encode_error(error)
    assert type(there.decode_error(encoded)).__bases__ == (Exception,)
    assert type(here.decode_error({**encoded, "id": None})) is Exception
    assert len(encoded["text"]) <= 4001


# ----------------------------------------------------------------------------------------------------------- forgeries
FORGED: list[Any] = [
    {"$": "unknown"}, {"$": []}, {"$": {}}, {"$": 1}, {"$": "int"}, {"$": "int", "v": "one"}, {"$": "int", "v": []},
    {"$": "int", "v": "1" * 5000}, {"$": "float", "v": "x"}, {"$": "decimal", "v": "x"}, {"$": "text", "v": "zz"},
    {"$": "text", "v": "ff"}, {"$": "bytes", "v": 5}, {"$": "tuple", "v": 5}, {"$": "set", "v": [[]]},
    {"$": "set", "v": [{"$": "decimal", "v": "sNaN"}]}, {"$": "dict", "v": [[1]]}, {"$": "dict", "v": [[[], 1]]},
    {"$": "error"}, {"$": "error", "v": 5}, {"$": "error", "v": {"lineage": [[]], "text": "x"}},
    {"$": "error", "v": {"lineage": "x", "text": "x"}}, {"$": "error", "v": {"lineage": [], "text": "x", "args": 5}},
    {"$": "record"}, {"$": "record", "type": 5, "v": {}}, {"$": "record", "type": "os:system", "v": {}},
    {"$": "record", "type": "course.data:Document", "v": []}, {"$": "record", "type": "course.data:Document", "v": {}},
    {"$": "record", "type": "course.errors:ToolError", "v": {}}, {"$": "record", "type": "course.no:Such", "v": {}},
    {"$": "ref"}, {"$": "ref", "owner": "check", "id": 99, "type": "x", "callable": True},
    {"$": "ref", "owner": "check", "id": -1, "type": "x", "callable": True},
    {"$": "ref", "owner": "check", "id": [], "type": "x", "callable": True},
]  # fmt: skip


@pytest.mark.parametrize("data", FORGED, ids=[json.dumps(data)[:60] for data in FORGED])
def test_what_is_not_of_the_encoded_form_is_refused(data: Any) -> None:
    check, _ = ends()
    with pytest.raises(WireError):
        check.decode(data)


def test_a_record_from_the_wire_imports_no_module() -> None:
    import sys

    check, _ = ends()
    sys.modules.pop("course.demo", None)
    with pytest.raises(WireError, match="no record of the course"):
        check.decode({"$": "record", "type": "course.demo:Anything", "v": {}})
    assert "course.demo" not in sys.modules


kinds = st.sampled_from("int float decimal text bytes tuple set frozenset dict error record ref".split()) | st.text()
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda v: (
        st.lists(v, max_size=4)
        | st.dictionaries(st.text(max_size=4), v, max_size=3)
        | st.fixed_dictionaries(
            {"$": kinds | v},
            optional={
                "v": v,
                "owner": st.sampled_from(["check", "student"]) | v,
                "id": v,
                "type": st.sampled_from(["course.data:Document", "course.data:Nothing"]) | v,
                "callable": v,
            },
        )
        | st.fixed_dictionaries(
            {"lineage": st.lists(st.sampled_from(["ToolError", "OSError", "ExceptionGroup", "object"]) | v), "text": v},
            optional={"args": v, "cause": v},
        )
    ),
    max_leaves=12,
)


@given(json_values)
@settings(derandomize=True, max_examples=700, deadline=None)
def test_whatever_json_arrives_it_is_a_value_or_refused(data: Any) -> None:
    check, _ = ends()
    for decode in (check.decode, check.decode_error):
        try:
            decode(data)
        except WireError as refused:
            assert str(refused)
