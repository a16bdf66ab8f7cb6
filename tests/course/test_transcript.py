"""The hash chain: its bytes, what tampering it shows, what it cannot show, and a file that survives being killed."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from course import jsonable
from course import transcript as module
from course.transcript import (
    GENESIS,
    Anchor,
    Transcript,
    TranscriptError,
    TranscriptWriter,
    UnserialisableError,
    canonical_bytes,
    hash_of,
    verify_file,
    verify_records,
)

held = settings(derandomize=True, max_examples=150, deadline=None)
letters = st.characters(exclude_categories=["Cs"])
texts = st.text(letters, max_size=8)
exact_integers = st.integers(-(2**53) + 1, 2**53 - 1)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def chain(length: int = 6) -> Transcript:
    """A transcript with a bit of everything in its payloads."""
    transcript = Transcript()
    for n in range(length):
        transcript.append(
            "tool", {"n": n, "text": 'é "quoted" \\ 😀\n', "list": [1, 1.0, True, None], "deep": {"b": {}}}
        )
    return transcript


def relinked(records: list[dict[str, Any]], start: int) -> list[dict[str, Any]]:
    """The records with seq, prev and hash forged anew from `start` on."""
    forged = copy.deepcopy(records)
    for k in range(start, len(forged)):
        forged[k]["seq"], forged[k]["prev"] = k, forged[k - 1]["hash"] if k else GENESIS
        forged[k]["hash"] = hash_of(forged[k])
    return forged


def saved(path: Path, records: list[Any]) -> Path:
    path.write_bytes(b"".join(canonical_bytes(record) + b"\n" for record in records))
    return path


def found(faults: list[module.Fault]) -> list[tuple[int, str]]:
    return [(fault.index, fault.kind) for fault in faults]


# --- bytes ------------------------------------------------------------------------------------------------------------


def test_a_line_is_one_json_object_with_sorted_keys_compact_and_exactly_five_fields() -> None:
    line = chain(1).to_bytes()
    record = json.loads(line)
    assert list(record) == ["hash", "kind", "payload", "prev", "seq"]
    assert line == json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def test_the_first_prev_is_64_zeros_and_every_later_one_is_the_hash_before() -> None:
    records = chain().records
    assert records[0]["prev"] == GENESIS == "0" * 64
    assert [r["prev"] for r in records[1:]] == [r["hash"] for r in records[:-1]]


def test_the_hash_is_sha256_over_the_canonical_record_without_its_hash() -> None:
    for record in chain().records:
        body = {key: value for key, value in record.items() if key != "hash"}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert record["hash"] == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_the_bytes_are_these_on_every_system() -> None:
    transcript = Transcript()
    transcript.append("task", {"é": "\u2028\r\n\t\x00", "a": [1, 1.0, True, 10**30, 1e100, -0.0]})
    body = (
        '{"kind":"task","payload":{"a":[1,1.0,true,1000000000000000000000000000000,1e+100,-0.0],'
        '"é":"\u2028\\r\\n\\t\\u0000"},"prev":"' + "0" * 64 + '","seq":0}'
    )
    digest = hashlib.sha256(body.encode("utf-8")).hexdigest()
    assert transcript.to_bytes() == f'{{"hash":"{digest}",{body[1:]}\n'.encode()


def test_saving_writes_the_same_bytes_and_no_carriage_return(tmp_path: Path) -> None:
    transcript = chain()
    transcript.save(tmp_path / "t.jsonl")
    assert (tmp_path / "t.jsonl").read_bytes() == transcript.to_bytes()
    assert b"\r" not in transcript.to_bytes()


def test_one_and_one_point_zero_and_true_have_three_different_hashes() -> None:
    hashes = set()
    for value in (1, 1.0, True):
        transcript = Transcript()
        hashes.add(transcript.append("x", value)["hash"])
    assert len(hashes) == 3


def test_the_order_in_which_keys_were_set_does_not_count() -> None:
    assert canonical_bytes({"b": 1, "a": 2}) == canonical_bytes({"a": 2, "b": 1}) == b'{"a":2,"b":1}'


def test_a_payload_is_taken_by_value() -> None:
    payload = {"args": [1]}
    transcript = Transcript()
    transcript.append("tool", payload)
    payload["args"].append(2)
    assert transcript.records[0]["payload"] == {"args": [1]}
    assert verify_records(transcript.records) == []


@held
@given(values)
def test_whatever_is_recorded_reads_back_equal_and_verifies(value: Any) -> None:
    transcript = Transcript()
    transcript.append("x", value)
    assert json.loads(transcript.to_bytes())["payload"] == value
    assert verify_records(transcript.records) == []


common_json = st.recursive(
    st.none() | st.booleans() | exact_integers | texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFFFF), max_size=4), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@held
@given(common_json)
def test_the_canonical_form_is_rfc_8785_wherever_the_two_must_agree(value: Any) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


def test_floats_differ_from_rfc_8785_so_that_1_and_1_point_0_stay_apart() -> None:
    assert (canonical_bytes(1.0), rfc8785.dumps(1.0)) == (b"1.0", b"1")


def test_large_integers_are_exact_where_rfc_8785_refuses_them() -> None:
    assert canonical_bytes(2**53 + 1) == b"9007199254740993"
    with pytest.raises(rfc8785.IntegerDomainError):
        rfc8785.dumps(2**53 + 1)


def test_keys_beyond_the_basic_plane_sort_by_code_point_where_rfc_8785_sorts_by_utf_16_unit() -> None:
    value = {"\U00010000": 1, "\uffff": 2}
    assert list(json.loads(canonical_bytes(value))) == ["\uffff", "\U00010000"]
    assert list(json.loads(rfc8785.dumps(value))) == ["\U00010000", "\uffff"]


def nested(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def doubled(times: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(times):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    "payload",
    [
        float("nan"),
        float("-inf"),
        {1, 2},
        b"bytes",
        object(),
        {1: "a"},
        {None: 1},
        "\ud800",
        {"\udfff": 1},
        10**5000,
        nested(101),
        endless(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_json_cannot_hold_is_refused_and_nothing_is_added(payload: Any, tmp_path: Path) -> None:
    transcript = chain(2)
    before = transcript.to_bytes()
    with pytest.raises(UnserialisableError):
        transcript.append("tool", payload)
    assert transcript.to_bytes() == before
    with TranscriptWriter(tmp_path / "t.jsonl") as writer:
        with pytest.raises(UnserialisableError):
            writer.append("tool", payload)
        writer.append("tool", "fine")
    assert verify_file(tmp_path / "t.jsonl").ok


def test_lists_that_hold_each_other_over_and_over_are_refused_before_they_are_written_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jsonable, "MOST_VALUES", 1000)
    with pytest.raises(UnserialisableError, match="more than 1000 values"):
        Transcript().append("tool", doubled(60))
    records = chain(1).records
    records[0]["payload"] = doubled(60)
    assert found(verify_records(records)) == [(0, "unserialisable_payload")]


def test_a_kind_is_a_string() -> None:
    with pytest.raises(UnserialisableError, match="kind is a string, got int"):
        Transcript().append(3, None)  # type: ignore[arg-type]


def test_a_record_longer_than_the_longest_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 400)
    with pytest.raises(UnserialisableError, match="the longest line is 400"):
        Transcript().append("tool", "x" * 400)


# --- verify_records ---------------------------------------------------------------------------------------------------


def test_an_untouched_chain_has_no_faults() -> None:
    assert verify_records(chain().records) == []
    assert verify_records([]) == []


def test_an_edited_payload_is_a_hash_mismatch_there_and_nowhere_else() -> None:
    records = chain().records
    records[3]["payload"]["n"] = 99
    assert found(verify_records(records)) == [(3, "hash_mismatch")]


def test_a_removed_record_is_a_gap_and_a_broken_link_at_its_place() -> None:
    records = chain().records
    del records[2]
    assert found(verify_records(records)) == [(2, "seq_gap"), (2, "prev_mismatch")]


def test_a_first_record_that_does_not_begin_the_chain_is_found() -> None:
    assert found(verify_records(chain().records[1:])) == [(0, "seq_gap"), (0, "prev_mismatch")]


@pytest.mark.parametrize("seq", [True, 1.0, "1", None])
def test_a_seq_that_is_no_integer_is_a_gap_even_when_it_equals_one(seq: Any) -> None:
    records = chain(2).records
    records[1]["seq"] = seq
    records[1]["hash"] = hash_of(records[1])
    assert found(verify_records(records)) == [(1, "seq_gap")]


def test_a_record_re_hashed_after_an_edit_is_caught_by_the_next_ones_prev() -> None:
    records = chain().records
    records[3]["payload"]["n"] = 99
    records[3]["hash"] = hash_of(records[3])
    assert found(verify_records(records)) == [(4, "prev_mismatch")]


def test_a_reorder_with_renumbering_is_a_prev_mismatch() -> None:
    records = chain().records
    records[2], records[3] = records[3], records[2]
    for index in (2, 3):
        records[index]["seq"] = index
        records[index]["hash"] = hash_of(records[index])
    assert found(verify_records(records)) == [(2, "prev_mismatch"), (3, "prev_mismatch"), (4, "prev_mismatch")]


@pytest.mark.parametrize("field", ["hash", "kind", "payload", "prev", "seq"])
def test_a_missing_field_is_named(field: str) -> None:
    records = chain().records
    del records[1][field]
    faults = verify_records(records)
    assert found(faults) == [(1, "missing_fields")]
    assert f"no {field}" in faults[0].detail


def test_a_sixth_field_is_no_record_of_ours_even_when_the_hash_covers_it() -> None:
    records = chain(2).records
    records[1]["note"] = "hello"
    records[1]["hash"] = hash_of(records[1])
    faults = verify_records(records)
    assert found(faults) == [(1, "missing_fields")]
    assert faults[0].detail == "unexpected 'note'"


def test_a_fault_about_foreign_fields_stays_short_and_plain_whatever_they_are() -> None:
    records = chain(2).records
    records[1].update({"é" * 10**6: 1, **{f"field {n}": n for n in range(100)}})
    (fault,) = verify_records(records)
    assert fault.kind == "missing_fields" and fault.detail.isascii() and len(fault.detail) < 300


def test_a_kind_that_is_no_string_is_found() -> None:
    records = chain(2).records
    records[1]["kind"] = 5
    records[1]["hash"] = hash_of(records[1])
    assert found(verify_records(records)) == [(1, "missing_fields")]


@pytest.mark.parametrize("record", ["x", None, 3, [1], ("hash", "kind")])
def test_what_is_no_object_is_named_with_its_type(record: Any) -> None:
    records: list[Any] = list(chain().records)
    records[1] = record
    faults = verify_records(records)
    assert found(faults) == [(1, "not_an_object")]
    assert type(record).__name__ in faults[0].detail


@pytest.mark.parametrize(
    "payload",
    [{"x": float("nan")}, {"x": {1}}, {1: 2}, "\ud800", nested(200), endless(), 10**5000],
    ids=lambda value: type(value).__name__,
)
def test_a_payload_without_a_canonical_form_is_unserialisable(payload: Any) -> None:
    records = chain().records
    records[1]["payload"] = payload
    assert found(verify_records(records)) == [(1, "unserialisable_payload")]


@pytest.mark.parametrize("stored", [None, 7, ["x"], "", "A" * 64, 'x","seq":1'])
def test_a_stored_hash_that_is_no_hash_is_a_mismatch_and_nothing_is_built_on_it(stored: Any) -> None:
    records = chain().records
    records[1]["hash"] = stored
    assert found(verify_records(records)) == [(1, "hash_mismatch")]


def test_stored_hashes_are_never_trusted() -> None:
    records = chain().records
    records[2]["hash"] = "f" * 64
    records[3]["prev"] = "f" * 64
    records[3]["hash"] = hash_of(records[3])
    assert found(verify_records(records)) == [(2, "hash_mismatch"), (4, "prev_mismatch")]


class Hostile(dict[str, Any]):
    """A dict that raises when it is looked into."""

    def get(self, *_: Any) -> Any:
        raise RuntimeError("no")

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no")


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["hash", "kind", "payload", "prev", "seq", "x"]) | st.integers(), inner, max_size=6
        )
    ),
    max_leaves=10,
)


@held
@given(st.lists(junk, min_size=1, max_size=4))
def test_verify_records_finds_a_fault_in_junk_and_never_raises(records: list[Any]) -> None:
    assert verify_records(records)[0].index == 0


def broken_iterator() -> Iterator[Any]:
    yield chain(1).records[0]
    raise OSError("gone")


def test_verify_records_never_raises_on_objects_with_a_will_of_their_own() -> None:
    assert verify_records([Hostile(chain(1).records[0])])[0].index == 0
    assert found(verify_records(broken_iterator())) == [(1, "not_an_object")]
    assert verify_records(None)[0].index == 0  # type: ignore[arg-type]


def test_a_fault_reads_as_a_sentence_with_record_line_and_kind() -> None:
    records = chain().records
    records[3]["payload"] = None
    (fault,) = verify_records(records)
    assert str(fault).startswith("record 3 (line 4): hash_mismatch: its content hashes to ")


# --- verify_file ------------------------------------------------------------------------------------------------------


def test_a_file_in_order_has_a_count_a_head_and_no_faults(tmp_path: Path) -> None:
    transcript = chain()
    transcript.save(tmp_path / "t.jsonl")
    report = verify_file(tmp_path / "t.jsonl")
    assert report.ok and report.anchor == transcript.anchor()
    assert (report.count, report.head) == (6, transcript.records[-1]["hash"])


def test_an_empty_file_is_a_transcript_of_no_records(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"")
    report = verify_file(tmp_path / "t.jsonl")
    assert report.ok and report.anchor == Anchor(0, GENESIS) == Transcript().anchor()


def test_a_file_that_is_missing_or_a_folder_is_unreadable_and_not_an_exception(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path, "a\0b"):
        assert [fault.kind for fault in verify_file(path).faults] == ["unreadable"]


BROKEN_LINES = {
    "no JSON": b"oops\n",
    "a blank line": b"\n",
    "NUL bytes": b"\0" * 4096 + b"\n",
    "no UTF-8": b'"\xff"\n',
    "a byte order mark": b"\xef\xbb\xbf{}\n",
    "two values": b"{}{}\n",
    "NaN": b"NaN\n",
    "nested for ever": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "a number of 5000 digits": b"1" * 5000 + b"\n",
}


@pytest.mark.parametrize("line", BROKEN_LINES.values(), ids=BROKEN_LINES)
def test_a_line_that_is_no_json_is_named_by_its_number_and_the_rest_still_counts(line: bytes, tmp_path: Path) -> None:
    lines = chain().to_bytes().splitlines(keepends=True)
    lines[2] = line
    (tmp_path / "t.jsonl").write_bytes(b"".join(lines))
    report = verify_file(tmp_path / "t.jsonl")
    assert found(report.faults) == [(2, "bad_json")]
    assert report.faults[0].line == 3 and report.faults[0].detail.startswith("line 3 ")
    assert report.count == 5


@pytest.mark.parametrize("payload", [b"1e400", nested(500), 7], ids=["infinity", "depth", "a new payload"])
def test_json_that_no_record_can_hold_is_found_where_it_stands(payload: Any, tmp_path: Path) -> None:
    lines = chain().to_bytes().splitlines(keepends=True)
    start, end = lines[2].index(b'"payload":') + 10, lines[2].index(b',"prev"')
    text = payload if isinstance(payload, bytes) else json.dumps(payload, separators=(",", ":")).encode()
    lines[2] = lines[2][:start] + text + lines[2][end:]
    (tmp_path / "t.jsonl").write_bytes(b"".join(lines))
    kind = "hash_mismatch" if payload == 7 else "unserialisable_payload"
    assert found(verify_file(tmp_path / "t.jsonl").faults) == [(2, kind)]


@pytest.mark.parametrize("levels,ok", [(99, True), (100, False), (500, False)])
def test_a_payload_nested_too_deep_is_found_even_when_hashed_as_it_stands(
    levels: int, ok: bool, tmp_path: Path
) -> None:
    payload = "[" * levels + "]" * levels
    body = f'{{"kind":"x","payload":{payload},"prev":"{GENESIS}","seq":0}}'.encode()
    line = b'{"hash":"' + hashlib.sha256(body).hexdigest().encode() + b'",' + body[1:] + b"\n"
    (tmp_path / "t.jsonl").write_bytes(line)
    expected = [] if ok else [(0, "unserialisable_payload")]
    assert found(verify_file(tmp_path / "t.jsonl").faults) == expected
    assert found(verify_records([json.loads(line)])) == expected


def respelled(line: bytes, how: str) -> bytes:
    """The same record, written otherwise."""
    record = json.loads(line)
    return {
        "spaces": json.dumps(record, sort_keys=True, ensure_ascii=False).encode() + b"\n",
        "escapes": json.dumps(record, sort_keys=True, separators=(",", ":")).encode() + b"\n",
        "a slash escaped": line.replace(b'"tool"', b'"\\u0074ool"'),
        "a number": line.replace(b"1.0", b"1.00"),
        "a key twice": line.replace(b'"n":', b'"n":0,"n":'),
        "a field twice": line.replace(b'"seq":', b'"seq":0,"seq":'),
        "CRLF": line.replace(b"\n", b"\r\n"),
        "a space at the end": line.replace(b"\n", b" \n"),
    }[how]


@pytest.mark.parametrize("how", ["spaces", "escapes", "a slash escaped", "a number", "a key twice", "a field twice"])
def test_the_same_record_spelled_otherwise_is_not_canonical(how: str, tmp_path: Path) -> None:
    lines = chain().to_bytes().splitlines(keepends=True)
    lines[2] = respelled(lines[2], how)
    assert lines[2] != chain().to_bytes().splitlines(keepends=True)[2]
    (tmp_path / "t.jsonl").write_bytes(b"".join(lines))
    report = verify_file(tmp_path / "t.jsonl")
    assert found(report.faults) == [(2, "not_canonical")]
    assert report.count == 6


def test_keys_in_another_order_are_not_canonical_even_when_hashed_as_they_stand(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.append("x", {"a": 1, "b": 2})
    body = transcript.to_bytes()[75:-1].replace(b'{"a":1,"b":2}', b'{"b":2,"a":1}')
    forged = b'{"hash":"' + hashlib.sha256(b"{" + body).hexdigest().encode() + b'",' + body + b"\n"
    (tmp_path / "t.jsonl").write_bytes(forged)
    assert found(verify_file(tmp_path / "t.jsonl").faults) == [(0, "hash_mismatch"), (0, "not_canonical")]


@pytest.mark.parametrize("how", ["CRLF", "a space at the end"])
def test_a_line_that_ends_in_anything_but_a_newline_is_bad(how: str, tmp_path: Path) -> None:
    lines = chain().to_bytes().splitlines(keepends=True)
    lines[2] = respelled(lines[2], how)
    (tmp_path / "t.jsonl").write_bytes(b"".join(lines))
    assert found(verify_file(tmp_path / "t.jsonl").faults) == [(2, "bad_json")]


def test_a_torn_last_line_is_named_and_the_rest_still_counts(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(chain().to_bytes()[:-40])
    report = verify_file(tmp_path / "t.jsonl")
    assert found(report.faults) == [(5, "bad_json")]
    assert "cut" in report.faults[0].detail and report.count == 5


def test_a_last_line_that_lacks_only_its_newline_was_cut_too(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(chain().to_bytes()[:-1])
    report = verify_file(tmp_path / "t.jsonl")
    assert found(report.faults) == [(5, "not_canonical")]
    assert "cut" in report.faults[0].detail and report.count == 6


def test_a_line_longer_than_the_longest_is_refused_without_losing_the_lines_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 1000)
    lines = chain().to_bytes().splitlines(keepends=True)
    lines[2] = b'"' + b"x" * 3500 + b'"\n'
    (tmp_path / "t.jsonl").write_bytes(b"".join(lines))
    report = verify_file(tmp_path / "t.jsonl")
    assert found(report.faults) == [(2, "bad_json")]
    assert report.count == 5


def test_a_hash_that_smuggles_json_into_the_next_lines_prev_gains_nothing(tmp_path: Path) -> None:
    records = chain(3).records
    records[1]["hash"] = 'x","seq":2,"zz":"y'
    body = canonical_bytes({k: v for k, v in records[2].items() if k != "hash"}).replace(
        records[2]["prev"].encode(), b'x","seq":2,"zz":"y'
    )
    forged = b'{"hash":"' + hashlib.sha256(body).hexdigest().encode() + b'",' + body[1:] + b"\n"
    lines = [canonical_bytes(record) + b"\n" for record in records[:2]] + [forged]
    (tmp_path / "t.jsonl").write_bytes(b"".join(lines))
    assert {fault.index for fault in verify_file(tmp_path / "t.jsonl").faults} == {1, 2}


@held
@given(data=st.binary(max_size=200))
def test_verify_file_never_raises_and_finds_fault_with_any_bytes(data: bytes, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    assert verify_file(path).ok == (data == b"")


# --- tampering, by property -------------------------------------------------------------------------------------------

LENGTH = 7
WHOLE = chain(LENGTH)
BYTES = WHOLE.to_bytes()
LINES = BYTES.splitlines(keepends=True)
places = st.integers(0, LENGTH - 1)
inner_places = st.integers(0, LENGTH - 2)


@pytest.fixture
def path(tmp_path_factory: Any) -> Path:
    base: Path = tmp_path_factory.getbasetemp()
    return base / "tampered.jsonl"


def first_fault(path: Path, data: bytes, anchor: Anchor | None = None) -> int | None:
    path.write_bytes(data)
    faults = verify_file(path, anchor).faults
    return faults[0].index if faults else None


@settings(derandomize=True, max_examples=600, deadline=None)
@given(at=st.integers(0, len(BYTES) - 1), other=st.integers(1, 255))
def test_any_single_byte_changed_is_found_at_its_record(at: int, other: int, tmp_path_factory: Any) -> None:
    data = bytearray(BYTES)
    data[at] ^= other
    index = BYTES[:at].count(b"\n")
    assert first_fault(tmp_path_factory.getbasetemp() / "byte.jsonl", bytes(data)) == index


@settings(derandomize=True, max_examples=300, deadline=None)
@given(at=st.integers(0, len(BYTES) - 1), inserted=st.binary(min_size=1, max_size=3))
def test_any_bytes_inserted_are_found_at_their_record(at: int, inserted: bytes, tmp_path_factory: Any) -> None:
    index = BYTES[:at].count(b"\n")
    data = BYTES[:at] + inserted + BYTES[at:]
    assert first_fault(tmp_path_factory.getbasetemp() / "byte.jsonl", data) == index


@pytest.mark.parametrize("k", range(LENGTH - 1))
def test_any_record_removed_before_the_last_is_found_at_its_place(k: int, path: Path) -> None:
    assert first_fault(path, b"".join(LINES[:k] + LINES[k + 1 :])) == k
    assert verify_records(WHOLE.records[:k] + WHOLE.records[k + 1 :])[0].index == k


@held
@given(i=places, j=places)
def test_any_two_records_swapped_are_found_at_the_first(i: int, j: int, tmp_path_factory: Any) -> None:
    lines, records = list(LINES), list(WHOLE.records)
    lines[i], lines[j] = lines[j], lines[i]
    records[i], records[j] = records[j], records[i]
    expected = None if i == j else min(i, j)
    assert first_fault(tmp_path_factory.getbasetemp() / "swap.jsonl", b"".join(lines)) == expected
    faults = verify_records(records)
    assert (faults[0].index if faults else None) == expected


@held
@given(i=places, j=st.integers(0, LENGTH))
def test_any_record_repeated_anywhere_is_found_where_the_chain_stops_fitting(
    i: int, j: int, tmp_path_factory: Any
) -> None:
    lines = [*LINES[:j], LINES[i], *LINES[j:]]
    expected = j + 1 if i == j else j  # inserted right before itself, the copy is the one that fits
    assert first_fault(tmp_path_factory.getbasetemp() / "twice.jsonl", b"".join(lines)) == expected


@held
@given(k=inner_places, payload=values)
def test_any_record_before_the_last_edited_and_re_hashed_is_found_at_the_next(
    k: int, payload: Any, tmp_path_factory: Any
) -> None:
    records = copy.deepcopy(WHOLE.records)
    records[k]["payload"] = payload
    records[k]["hash"] = hash_of(records[k])
    assert verify_records(records)[0].index == k + 1
    path = saved(tmp_path_factory.getbasetemp() / "rehash.jsonl", records)
    assert verify_file(path).faults[0].index == k + 1


edits = st.lists(
    st.tuples(st.sampled_from(["payload", "prev", "seq", "kind", "hash", "rehash", "drop", "swap", "twice"]), places),
    max_size=5,
)


def tampered(changes: list[tuple[str, int]]) -> list[dict[str, Any]]:
    records = copy.deepcopy(WHOLE.records)
    for what, k in changes:
        k %= len(records)
        if what == "drop" and len(records) > 1:
            del records[k]
        elif what == "swap":
            records[0], records[k] = records[k], records[0]
        elif what == "twice":
            records.insert(k, copy.deepcopy(records[k]))
        elif what == "rehash":
            records[k]["hash"] = hash_of(records[k])
        elif what != "drop":
            records[k][what] = {"payload": 0, "prev": "a" * 64, "seq": 3, "kind": "x", "hash": "b" * 64}[what]
    return records


@held
@given(changes=edits)
def test_both_verifiers_say_the_same_whatever_was_done_to_the_records(
    changes: list[tuple[str, int]], tmp_path_factory: Any
) -> None:
    records = tampered(changes)
    path = saved(tmp_path_factory.getbasetemp() / "both.jsonl", records)
    assert found(verify_file(path).faults) == found(verify_records(records))


ODD = {"hash": "", "kind": "x", "payload": 0, "prev": GENESIS, "seq": 0}


@pytest.mark.parametrize(
    "record,kind",
    [
        ({**ODD, "seq": False}, "seq_gap"),
        ({**ODD, "seq": 0.0}, "seq_gap"),
        ({**ODD, "seq": 1}, "seq_gap"),
        ({**ODD, "prev": "1" * 64}, "prev_mismatch"),
        ({**ODD, "kind": 5}, "missing_fields"),
        ({**ODD, "note": 5}, "missing_fields"),
        ({"note" if key == "payload" else key: value for key, value in ODD.items()}, "missing_fields"),
        ({key: value for key, value in ODD.items() if key != "payload"}, "missing_fields"),
    ],
)
def test_a_record_that_is_odd_and_hashed_with_care_is_found_by_both_verifiers(
    record: dict[str, Any], kind: str, path: Path
) -> None:
    record = {**record, "hash": hash_of(record)}
    assert found(verify_records([record])) == found(verify_file(saved(path, [record])).faults) == [(0, kind)]


def test_a_fault_in_a_long_file_is_found_at_its_record_wherever_the_batches_end(path: Path) -> None:
    lines = chain(150).to_bytes().splitlines(keepends=True)
    for k in range(0, 150, 7):
        edited = [*lines[:k], lines[k].replace(b'"deep"', b'"DEEP"'), *lines[k + 1 :]]
        path.write_bytes(b"".join(edited))
        report = verify_file(path)
        assert {fault.index for fault in report.faults} == {k} and report.count == 150
        assert report.head == json.loads(lines[-1])["hash"]


# --- the stated limits, and the anchor --------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", range(LENGTH))
def test_limit_records_missing_from_the_end_verify_and_only_the_anchor_knows(kept: int, path: Path) -> None:
    data = b"".join(LINES[:kept])
    assert first_fault(path, data) is None
    assert found(verify_file(path, WHOLE.anchor()).faults) == [(kept, "records_missing")]


def test_limit_a_last_record_rewritten_and_re_hashed_verifies_and_only_the_anchor_knows(path: Path) -> None:
    records = copy.deepcopy(WHOLE.records)
    records[-1]["payload"] = "another story"
    records[-1]["hash"] = hash_of(records[-1])
    assert verify_file(saved(path, records)).ok
    assert found(verify_file(path, WHOLE.anchor()).faults) == [(LENGTH - 1, "head_mismatch")]


@held
@given(k=places, payload=values)
def test_limit_every_record_from_the_edit_on_re_forged_verifies_and_only_the_anchor_knows(
    k: int, payload: Any, tmp_path_factory: Any
) -> None:
    records = copy.deepcopy(WHOLE.records)
    records[k]["payload"] = {"forged": payload}
    forged = relinked(records, k)
    path = saved(tmp_path_factory.getbasetemp() / "forged.jsonl", forged)
    assert verify_records(forged) == [] and verify_file(path).ok
    assert found(verify_file(path, WHOLE.anchor()).faults) == [(LENGTH - 1, "head_mismatch")]


def test_limit_removed_and_re_forged_keeps_no_trace_but_the_count(path: Path) -> None:
    records = relinked(WHOLE.records[:2] + WHOLE.records[3:], 2)
    assert verify_file(saved(path, records)).ok
    assert found(verify_file(path, WHOLE.anchor()).faults) == [(LENGTH - 1, "records_missing")]


def test_a_count_alone_is_no_anchor_the_head_hash_is_compared_as_well(path: Path) -> None:
    saved(path, relinked([{**r, "payload": 0} for r in WHOLE.records], 0))
    assert verify_file(path).count == WHOLE.anchor().count
    assert not verify_file(path, WHOLE.anchor()).ok


def test_records_after_the_anchored_one_are_told_apart_from_a_changed_past(path: Path) -> None:
    longer = chain(LENGTH + 2)
    path.write_bytes(longer.to_bytes())
    assert found(verify_file(path, WHOLE.anchor()).faults) == [(LENGTH, "beyond_anchor")]
    changed = relinked([{**r, "payload": 0} for r in longer.records], 0)
    faults = verify_file(saved(path, changed), WHOLE.anchor()).faults
    assert found(faults) == [(LENGTH - 1, "head_mismatch"), (LENGTH, "beyond_anchor")]


def test_an_anchor_from_any_moment_of_a_long_run_still_vouches_for_its_past(path: Path) -> None:
    transcript, anchors = Transcript(), [Anchor(0, GENESIS)]
    for record in chain(150).records:
        transcript.append(record["kind"], record["payload"])
        anchors.append(transcript.anchor())
    path.write_bytes(transcript.to_bytes())
    for anchor in anchors[:-1:7]:
        assert found(verify_file(path, anchor).faults) == [(anchor.count, "beyond_anchor")]
    assert verify_file(path, anchors[-1]).ok


def test_the_anchor_of_an_empty_transcript_says_that_anything_is_too_much(path: Path) -> None:
    path.write_bytes(BYTES)
    assert found(verify_file(path, Anchor(0, GENESIS)).faults) == [(0, "beyond_anchor")]


def test_an_anchor_that_fits_adds_nothing(path: Path) -> None:
    path.write_bytes(BYTES)
    assert verify_file(path, WHOLE.anchor()).ok


def test_an_anchor_goes_to_json_and_to_text_and_back() -> None:
    anchor = WHOLE.anchor()
    assert Anchor.from_json(anchor.to_json()) == anchor == Anchor.parse(str(anchor))
    assert list(json.loads(anchor.to_json())) == ["count", "head"]


BAD_ANCHORS = ["", "x", "[]", "{}", '{"count":1}', "[" * 100_000]
BAD_ANCHORS += [f'{{"count":{count},"head":"{"a" * 64}"}}' for count in ("-1", "true", "1.0", '"1"', "null")]
BAD_ANCHORS += [f'{{"count":1,"head":{head}}}' for head in ("1", "null", '"aa"', f'"{"A" * 64}"')]


@pytest.mark.parametrize("text", BAD_ANCHORS, ids=lambda text: text[:30])
def test_an_anchor_that_is_none_is_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^an anchor"):
        Anchor.from_json(text)


@pytest.mark.parametrize("text", ["", "5", "5:", ":" + "a" * 64, "-5:" + "a" * 64, "٥:" + "a" * 64, "9" * 5000 + ":a"])
def test_a_written_anchor_that_is_none_is_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^an anchor's"):
        Anchor.parse(text)


# --- appending to a file ----------------------------------------------------------------------------------------------


def fill(writer: TranscriptWriter, start: int, stop: int) -> None:
    for n in range(start, stop):
        writer.append("tool", chain(n + 1).records[n]["payload"])


def test_a_writer_writes_what_a_transcript_in_memory_holds(tmp_path: Path) -> None:
    with TranscriptWriter(tmp_path / "t.jsonl") as writer:
        fill(writer, 0, 6)
        assert writer.anchor() == chain().anchor()
    assert (tmp_path / "t.jsonl").read_bytes() == chain().to_bytes()


def test_every_record_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    with TranscriptWriter(tmp_path / "t.jsonl") as writer:
        for n in range(1, 4):
            fill(writer, n - 1, n)
            assert verify_file(tmp_path / "t.jsonl", writer.anchor()).ok


def test_a_file_opened_again_goes_on_where_it_stopped(tmp_path: Path) -> None:
    for start in range(6):
        with TranscriptWriter(tmp_path / "t.jsonl") as writer:
            assert writer.count == start
            fill(writer, start, start + 1)
    assert (tmp_path / "t.jsonl").read_bytes() == chain().to_bytes()


def test_opening_reads_the_end_only_so_damage_far_away_is_left_to_the_verifier(tmp_path: Path) -> None:
    data = bytearray(chain(60).to_bytes())
    data[:100] = b"\0" * 100
    (tmp_path / "t.jsonl").write_bytes(data)
    with TranscriptWriter(tmp_path / "t.jsonl") as writer:
        assert writer.anchor() == chain(60).anchor()


def test_a_last_record_longer_than_one_read_is_found_whole(tmp_path: Path) -> None:
    with TranscriptWriter(tmp_path / "t.jsonl") as writer:
        writer.append("x", "y" * 100_000)
        writer.append("x", "y" * 300_000)
        anchor = writer.anchor()
    with TranscriptWriter(tmp_path / "t.jsonl") as writer:
        assert writer.anchor() == anchor


@pytest.mark.parametrize("old,new", [(b'"n":5', b'"n":6'), (b'"seq":5', b'"seq":6'), (b'"tool"', b'"to\\u006fl"')])
def test_a_damaged_last_record_is_not_built_upon(old: bytes, new: bytes, tmp_path: Path) -> None:
    damaged = chain().to_bytes().replace(old, new)
    (tmp_path / "t.jsonl").write_bytes(damaged)
    with pytest.raises(TranscriptError, match="the last record is damaged"):
        TranscriptWriter(tmp_path / "t.jsonl")
    assert (tmp_path / "t.jsonl").read_bytes() == damaged


def test_a_file_of_something_else_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.txt").write_bytes(b"my notes\n")
    with pytest.raises(TranscriptError):
        TranscriptWriter(tmp_path / "notes.txt")
    monkeypatch.setattr(module, "MAX_LINE", 1000)
    (tmp_path / "blob").write_bytes(b"x" * 10_000)
    with pytest.raises(TranscriptError, match="no line ends"):
        TranscriptWriter(tmp_path / "blob")
    assert (tmp_path / "notes.txt").read_bytes() == b"my notes\n"


@pytest.mark.parametrize("cut", [1, 2, 40, 75, 150, 200])
def test_a_torn_line_is_moved_aside_and_recorded_before_the_next_record(cut: int, tmp_path: Path) -> None:
    path, whole = tmp_path / "t.jsonl", chain(3).to_bytes()
    path.write_bytes(whole[:-cut])
    fragment = whole[whole.rfind(b"\n", 0, -1) + 1 : -cut]
    with TranscriptWriter(path) as writer:
        assert writer.count == 2
        assert path.read_bytes() == whole[:-cut]  # looking changes nothing
        writer.append("tool", "next")
        assert verify_file(path, writer.anchor()).ok
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [record["kind"] for record in records] == ["tool", "tool", "torn_tail", "tool"]
    assert records[2]["payload"] == {
        "bytes": len(fragment),
        "offset": 0,
        "sha256": hashlib.sha256(fragment).hexdigest(),
    }
    assert (tmp_path / "t.jsonl.torn").read_bytes() == fragment


def test_no_matter_where_a_file_is_cut_it_can_be_opened_and_goes_on(tmp_path: Path) -> None:
    short = Transcript()
    short.append("x", 1)
    short.append("x", 2)
    whole = short.to_bytes()
    for size in range(len(whole)):
        path = tmp_path / f"{size}.jsonl"
        path.write_bytes(whole[:size])
        with TranscriptWriter(path) as writer:
            writer.append("tool", "next")
            assert verify_file(path, writer.anchor()).ok
        lines, torn = whole[:size].count(b"\n"), not whole[:size].endswith(b"\n") and size > 0
        assert verify_file(path).count == lines + torn + 1


def test_a_tail_of_nul_bytes_left_by_a_power_cut_is_quarantined(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(chain(2).to_bytes() + b"\0" * 231_273)
    with TranscriptWriter(path) as writer:
        writer.append("tool", "next")
        assert verify_file(path, writer.anchor()).ok and writer.count == 4
    assert (tmp_path / "t.jsonl.torn").read_bytes() == b"\0" * 231_273


def test_a_second_torn_line_is_added_to_the_first_and_found_by_its_offset(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    for fragment in (b"first", b"second"):
        with path.open("ab") as file:
            file.write(fragment)
        with TranscriptWriter(path) as writer:
            writer.append("tool", "next")
    torn = [r["payload"] for r in map(json.loads, path.read_bytes().splitlines()) if r["kind"] == "torn_tail"]
    kept = (tmp_path / "t.jsonl.torn").read_bytes()
    assert [kept[p["offset"] : p["offset"] + p["bytes"]] for p in torn] == [b"first", b"second"]
    assert verify_file(path).ok


def test_killed_in_the_middle_of_the_quarantine_the_torn_line_is_still_recorded(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    whole, fragment = chain(2).to_bytes(), b"x" * 1000
    path.write_bytes(whole + fragment)
    with TranscriptWriter(path) as writer:
        writer.append("tool", "next")
    done = path.read_bytes()
    note = done[len(whole) : done.index(b"\n", len(whole)) + 1]
    for written in (0, 1, len(note) - 1, len(note)):
        path.write_bytes(whole + note[:written] + fragment[written:])
        with TranscriptWriter(path) as writer:
            writer.append("tool", "next")
            assert verify_file(path, writer.anchor()).ok
        kinds = [json.loads(line)["kind"] for line in path.read_bytes().splitlines()]
        assert "torn_tail" in kinds and kinds[-1] == "tool"


def test_a_second_writer_is_noticed_before_anything_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TranscriptWriter(path) as first, TranscriptWriter(path) as second:
        first.append("tool", 1)
        with pytest.raises(TranscriptError, match="one writer at a time"):
            second.append("tool", 2)
        first.append("tool", 3)
    assert verify_file(path).count == 2 and verify_file(path).ok


class FullDisk:
    """A file that takes ten bytes of the next write and then says so."""

    def __init__(self, file: Any) -> None:
        self.file, self.full = file, True

    def write(self, data: bytes) -> int:
        if self.full:
            self.full = False
            return int(self.file.write(data[:10]))
        return int(self.file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def test_a_write_that_the_disk_takes_in_part_is_said_and_is_a_torn_line_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TranscriptWriter(path) as writer:
        writer.append("tool", 1)
        writer._file = FullDisk(writer._file)  # type: ignore[assignment]
        with pytest.raises(OSError, match="only a part of record 1"):
            writer.append("tool", 2)
        assert (writer.count, verify_file(path).count) == (1, 1)
        writer.append("tool", 2)
        assert verify_file(path, writer.anchor()).ok and writer.count == 3
    kinds = [json.loads(line)["kind"] for line in path.read_bytes().splitlines()]
    assert kinds == ["tool", "torn_tail", "tool"]


def test_a_disk_that_is_full_during_the_quarantine_loses_no_trace_of_the_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(chain(2).to_bytes() + b"x" * 1000)
    with TranscriptWriter(path) as writer:
        writer._file = FullDisk(writer._file)  # type: ignore[assignment]
        with pytest.raises(OSError, match="only a part of record 2"):
            writer.append("tool", "next")
    with TranscriptWriter(path) as writer:
        writer.append("tool", "next")
        assert verify_file(path, writer.anchor()).ok
    kinds = [json.loads(line)["kind"] for line in path.read_bytes().splitlines()]
    assert kinds == ["tool", "tool", "torn_tail", "tool"]
    assert (tmp_path / "t.jsonl.torn").read_bytes().startswith(b"x" * 1000)


def test_a_durable_writer_waits_for_the_disk_on_every_append(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    for durable in (False, True):
        with TranscriptWriter(tmp_path / f"{durable}.jsonl", durable=durable) as writer:
            writer.append("tool", 1)
            writer.append("tool", 2)
    assert len(synced) == 2


KILLED = """
import sys
from course.transcript import TranscriptWriter
writer = TranscriptWriter(sys.argv[1])
while True:
    writer.append("tool", {"text": "x" * 5000, "count": writer.count})
    print(writer.count, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_a_process_killed_while_it_writes_loses_nothing_that_append_had_returned(tmp_path: Path) -> None:
    path, promised = tmp_path / "t.jsonl", 0
    for lines in (1, 7, 20):
        with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            for _ in range(lines):
                promised = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
        torn = [fault for fault in verify_file(path).faults if fault.index < promised]
        assert torn == [] and verify_file(path).count >= promised
    with TranscriptWriter(path) as writer:
        writer.append("tool", "after")
        assert verify_file(path, writer.anchor()).ok
