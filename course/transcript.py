"""The transcript: one JSON record a line, each bound to the one before by its hash, so that a change shows.

A record has exactly five fields, and a line is its canonical form followed by a newline:

    {"hash":"…","kind":"tool","payload":{…},"prev":"…","seq":3}

`hash` is the hex SHA-256 of the canonical bytes of the other four; `prev` is the hash of the record before; the first
`prev` is GENESIS, 64 zeros; `seq` counts from 0. Whoever edits a record must forge every later one, so:

what the chain proves    no record was changed, removed, added or moved, unless all from there on were forged as well
what it does not prove   that the end is there (records cut from it leave no trace), or that nobody forged the rest anew
what closes the gap      an `Anchor`, count and head hash, kept where the writer of the file cannot reach it

Canonical form: UTF-8, keys sorted by code point, no spaces, characters unescaped unless JSON demands it. It is RFC 8785
(JCS) but for floats, large integers and rare keys: here 1.0 stays `1.0`, since 1, 1.0 and true are three values to a
tool; integers are exact at any size, where RFC 8785 refuses those beyond 2**53; and RFC 8785 sorts keys by UTF-16 unit,
which differs only when a key holds a character beyond U+FFFF.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from course.jsonable import MOST_LEVELS, MOST_VALUES, why_not_json

GENESIS = "0" * 64
"""The `prev` of the first record, and the head of a transcript that holds none."""

FIELDS = frozenset({"hash", "kind", "payload", "prev", "seq"})
MAX_LINE = 16 * 2**20  # bytes; a longer line is refused by the writer and not read into memory by the verifier

Record = dict[str, Any]


class UnserialisableError(ValueError):
    """A value that has no canonical form: a set, a NaN, a lone surrogate, a key that is no string, too deep."""


class TranscriptError(Exception):
    """A transcript file that cannot be appended to: its last record is damaged, or someone else is writing it."""


# --- canonical form ---------------------------------------------------------------------------------------------------


def canonical_bytes(value: object) -> bytes:
    """The one UTF-8 spelling of a JSON value; a tuple is an array.

    Raises UnserialisableError for what JSON cannot hold; `course.jsonable` says what that is.
    """
    problem = why_not_json(value)
    if problem:
        raise UnserialisableError(problem)
    return _encode(value).encode("utf-8")


# `why_not_json` has found every cycle by its depth, so the encoder need not look for them again.
_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode
_BATCH = 2**14  # bytes of lines that are verified together
_HASHED = len('{"hash":"",') + len(GENESIS)  # where the part of a line that its hash covers begins


# --- records ----------------------------------------------------------------------------------------------------------


class Recorder(Protocol):
    """Whatever a loop can write its records to: a Transcript in memory or a TranscriptWriter over a file."""

    def append(self, kind: str, payload: object) -> Record: ...


def hash_of(record: Record) -> str:
    """Hex SHA-256 over the canonical bytes of a record without its `hash`. Raises UnserialisableError."""
    body = {key: record[key] for key in record if key != "hash"}
    return hashlib.sha256(canonical_bytes(body)).hexdigest()


def make_record(kind: str, payload: object, seq: int, prev: str) -> tuple[Record, bytes]:
    """The next record and its line. The payload is taken by value, so a later change of it does not reach the record.

    kind: what happened; payload: any JSON value; seq: its index, from 0; prev: the hash of the record before.
    Raises UnserialisableError when the payload has no canonical form or the line would be longer than MAX_LINE.
    """
    if not isinstance(kind, str):
        raise UnserialisableError(f"a record's kind is a string, got {type(kind).__name__}")
    body = canonical_bytes({"kind": kind, "payload": payload, "prev": prev, "seq": seq})
    line = b'{"hash":"%b",%b\n' % (hashlib.sha256(body).hexdigest().encode(), body[1:])
    if len(line) > MAX_LINE:
        raise UnserialisableError(f"a record of {len(line)} bytes; the longest line is {MAX_LINE}")
    return json.loads(line), line


class Transcript:
    """A transcript in memory: `records`, and `to_bytes()` or `save(path)` to keep them."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._lines: list[bytes] = []

    def append(self, kind: str, payload: object) -> Record:
        """Add one record and return it. Raises UnserialisableError, and then nothing was added."""
        record, line = make_record(kind, payload, len(self.records), self.anchor().head)
        self.records.append(record)
        self._lines.append(line)
        return record

    def anchor(self) -> Anchor:
        """Count and head hash as they stand now."""
        return Anchor(len(self.records), self.records[-1]["hash"] if self.records else GENESIS)

    def to_bytes(self) -> bytes:
        """The file's bytes, the same on every system."""
        return b"".join(self._lines)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole transcript to `path`, replacing what is there."""
        Path(path).write_bytes(self.to_bytes())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The run as a picture, where it is a cell's last line."""
        from course.view import picture_of

        return picture_of(self)


class TranscriptWriter:
    """Appends to a transcript file, one write a record: a process killed at any point tears the last line at most.

    Opening reads the end of the file only, whatever its size, and verifies the last whole record. A torn line found
    there is moved to `<file>.torn` by the next append, which first records the fact in the chain (kind `torn_tail`).

    path: made when missing. durable: True waits for the disk on every append: a power cut asks for it, a killed process
    does not. One writer at a time. Raises TranscriptError when the last record is damaged, OSError as `open` does.
    """

    def __init__(self, path: str | os.PathLike[str], durable: bool = False) -> None:
        self.path, self._durable = Path(path), durable
        # Append mode could not write over a torn line, and no other mode of open() makes a file and spares an old one.
        self._file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b", 0)
        try:
            self.count, self.head, self._end = _read_tail(self._file)
            self._size = self._file.seek(0, os.SEEK_END)
        except BaseException:
            self._file.close()
            raise

    def append(self, kind: str, payload: object) -> Record:
        """Add one record, in one write, and return it.

        Raises UnserialisableError (no canonical form), TranscriptError (another writer) or OSError, and adds nothing.
        """
        if self._size != self._end:
            self._quarantine()
        return self._write(*make_record(kind, payload, self.count, self.head))

    def anchor(self) -> Anchor:
        """Count and head hash as they stand now: keep them elsewhere."""
        return Anchor(self.count, self.head)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> TranscriptWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _quarantine(self) -> None:
        """Copy the torn line aside, then write its record over it: at no moment is the line gone and unrecorded."""
        self._file.seek(self._end)
        fragment = self._file.read(self._size - self._end)
        side = self.path.with_name(self.path.name + ".torn")
        with side.open("ab") as kept:
            offset = kept.tell()
            kept.write(fragment)
            kept.flush()
            os.fsync(kept.fileno())
        where = {"bytes": len(fragment), "offset": offset, "sha256": hashlib.sha256(fragment).hexdigest()}
        self._write(*make_record("torn_tail", where, self.count, self.head))

    def _write(self, record: Record, line: bytes) -> Record:
        if os.fstat(self._file.fileno()).st_size != self._size:
            raise TranscriptError(f"{self.path.name} changed since it was opened: one writer at a time, open it again")
        self._file.seek(self._end)
        if self._file.write(line) != len(line):
            self._size = os.fstat(self._file.fileno()).st_size  # a torn line like any other: the next append moves it
            raise OSError(f"{self.path.name}: the disk took only a part of record {self.count}")
        self._end += len(line)
        if self._size > self._end:
            self._file.truncate(self._end)
        self._size = self._end
        if self._durable:
            os.fsync(self._file.fileno())
        self.count, self.head = self.count + 1, record["hash"]
        return record


def _read_tail(file: BinaryIO) -> tuple[int, str, int]:
    """Count, head hash and the offset where the last whole line ends, read from the end of the file backwards."""
    size = file.seek(0, os.SEEK_END)
    start, tail = size, b""
    while start > 0 and tail.count(b"\n") < 2 and len(tail) <= 2 * MAX_LINE:
        step = min(start, max(4096, len(tail)))
        start -= step
        file.seek(start)
        tail = file.read(step) + tail
    end = tail.rfind(b"\n") + 1
    if not end:
        if start:
            raise TranscriptError(f"no line ends in the last {len(tail)} bytes: this is no transcript")
        return 0, GENESIS, 0
    line = tail[tail.rfind(b"\n", 0, end - 1) + 1 : end]
    record, problem = _read_line(line)
    seq = record.get("seq") if isinstance(record, dict) else None
    faults = problem or _Chain(seq=seq if type(seq) is int else 0, prev=None).look(0, record, line)
    if faults or not isinstance(record, dict):
        raise TranscriptError("the last record is damaged: verify the file, and do not append to it")
    return record["seq"] + 1, record["hash"], start + end


# --- verification -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Anchor:
    """What to keep elsewhere: how many records there were, and the hash of the last one (GENESIS for none)."""

    count: int
    head: str

    def to_json(self) -> str:
        """One line of JSON: {"count":5,"head":"…"}."""
        return canonical_bytes({"count": self.count, "head": self.head}).decode("utf-8")

    @classmethod
    def from_json(cls, text: str) -> Anchor:
        """Read what `to_json` wrote. Raises ValueError with one sentence."""
        try:
            held = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError('an anchor is {"count": N, "head": "64 hex digits"}; this is no JSON') from None
        if not isinstance(held, dict) or set(held) != {"count", "head"}:
            raise ValueError('an anchor is {"count": N, "head": "64 hex digits"}, with these two keys')
        return cls.checked(held["count"], held["head"])

    @classmethod
    def parse(cls, text: str) -> Anchor:
        """Read COUNT:HASH, the form that fits a command line. Raises ValueError with one sentence."""
        count, _, head = text.partition(":")
        return cls.checked(int(count) if re.fullmatch("[0-9]{1,19}", count) else None, head)

    @classmethod
    def checked(cls, count: object, head: object) -> Anchor:
        """An anchor from values that nobody has looked at yet. Raises ValueError with one sentence."""
        if type(count) is not int or count < 0:
            raise ValueError("an anchor's count is a whole number of records, 0 or more")
        if not _is_hash(head):
            raise ValueError("an anchor's head is a hash of 64 lower-case hex digits")
        return cls(count, str(head))

    def __str__(self) -> str:
        return f"{self.count}:{self.head}"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with one record.

    index: the record's place, from 0. detail: a sentence for people. kind, from `verify_records`:
        not_an_object          the record is no JSON object
        missing_fields         it does not have exactly the five fields, or `kind` is no string
        unserialisable_payload it holds what has no canonical form
        hash_mismatch          its hash is not that of its content: the content or the hash was changed
        seq_gap                its seq does not follow
        prev_mismatch          its prev is not the hash of the record before
    and from `verify_file` also:
        bad_json               the line is no JSON in UTF-8, or was cut
        not_canonical          the line means the right thing, written otherwise: spaces, order, a key twice, no newline
        unreadable             the file cannot be read
        records_missing        fewer records than the anchor counts
        head_mismatch          the record that the anchor names has another hash
        beyond_anchor          records after the anchored one: nothing outside vouches for them
    """

    index: int
    kind: str
    detail: str

    @property
    def line(self) -> int:
        """The line number in the file, from 1."""
        return self.index + 1

    def __str__(self) -> str:
        where = "" if self.kind == "unreadable" else f"record {self.index} (line {self.line}): "
        return f"{where}{self.kind}: {self.detail}"


@dataclass(frozen=True)
class Report:
    """What `verify_file` found: how many records it could read, the hash of the last, and every fault in order."""

    count: int
    head: str
    faults: list[Fault]

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def anchor(self) -> Anchor:
        """The anchor that this file would have. Worth keeping only when `ok`, and only elsewhere."""
        return Anchor(self.count, self.head)


def verify_records(records: Iterable[object]) -> list[Fault]:
    """Check a chain of records that someone else holds; first affected record first, an empty list when it holds.

    It trusts no hash that it did not compute, and never raises, whatever the records are made of.
    """
    chain, faults = _Chain(), []
    try:
        for index, record in enumerate(records):
            faults += chain.look(index, record)
    except Exception as error:  # not iterable, or an iterator that fails on the way: that is a finding, not a crash
        faults.append(Fault(chain.looked_at, "not_an_object", f"no record can be read here ({type(error).__name__})"))
    return faults


def verify_file(path: str | os.PathLike[str], anchor: Anchor | None = None) -> Report:
    """Check a transcript file byte by byte, and against an anchor when there is one. A fault is reported, never raised.

    Lines are looked at in batches. A batch in order is recognised as a whole; only one that is not is taken apart, line
    by line, to name what is wrong with it.
    """
    chain, faults, index, count, at_anchor = _Chain(), [], 0, 0, GENESIS
    try:
        with Path(path).open("rb") as file:
            for batch in _batches(file):
                heads = chain.advance(batch)
                if heads is None:
                    heads, found = chain.take_apart(batch, index)
                    faults += found
                if anchor and count < anchor.count <= count + len(heads):
                    at_anchor = heads[anchor.count - count - 1]
                index, count = index + len(batch), count + len(heads)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return Report(count, chain.head, [*faults, Fault(index, "unreadable", f"the file cannot be read: {reason}")])
    if anchor:
        faults += _against(anchor, count, at_anchor)
    return Report(count, chain.head, faults)


def _against(anchor: Anchor, count: int, at_anchor: str) -> Iterator[Fault]:
    if count < anchor.count:
        yield Fault(count, "records_missing", f"{count} records where the anchor counts {anchor.count}")
    elif at_anchor != anchor.head:
        yield Fault(max(anchor.count - 1, 0), "head_mismatch", f"the hash here is {at_anchor}, not the anchor's")
    if count > anchor.count:
        yield Fault(anchor.count, "beyond_anchor", f"{count} records where the anchor counts {anchor.count}")


class _Chain:
    """Where a verifier stands: the seq and the prev that the next record must have; prev is None after a lost line."""

    def __init__(self, seq: int = 0, prev: str | None = GENESIS) -> None:
        self.seq, self.prev, self.head, self.looked_at = seq, prev, GENESIS, 0

    def advance(self, batch: list[bytes]) -> list[str] | None:
        """Step over lines that are all in order and return their hashes; or return None and leave all to `take_apart`.

        Each line is one JSON value, and the canonical form of all values together is the lines as they are: so no line
        is spelled otherwise. Each hash is then that of the line's own bytes.
        """
        if any(map(_may_be_too_much, batch)):
            return None
        try:
            *rows, rest = b"".join(batch).decode("utf-8").split("\n")
            values = [_parse(row) for row in rows]
            records = [record for record, _ in values]
            if rest or [end for _, end in values] != [len(row) for row in rows]:
                return None
            if _encode(records) != f"[{','.join(rows)}]":
                return None
            hashes = [hashlib.sha256(b"{" + line[_HASHED:-1]).hexdigest() for line in batch]
            prev = self.prev
            for seq, (record, digest) in enumerate(zip(records, hashes, strict=True), self.seq):
                if record["hash"] != digest or record["prev"] != prev or record["seq"] != seq or len(record) != 5:
                    return None
                if type(record["seq"]) is not int or type(record["kind"]) is not str or "payload" not in record:
                    return None
                prev = digest
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        self.seq, self.prev, self.head = self.seq + len(batch), hashes[-1], hashes[-1]
        return hashes

    def take_apart(self, batch: list[bytes], index: int) -> tuple[list[str], list[Fault]]:
        """Step over lines one by one, from record `index` on: the hashes of those that hold JSON, and all faults."""
        heads, faults = [], list[Fault]()
        for at, line in enumerate(batch, index):
            record, problem = _read_line(line)
            if problem:
                self.skip()
                faults.append(Fault(at, "bad_json", f"line {at + 1} {problem}"))
            else:
                faults += self.look(at, record, line)
                heads.append(self.head)
        return heads, faults

    def skip(self) -> None:
        """Step over a line that cannot be read: it stood for one record, and its hash is unknown."""
        self.seq, self.prev = self.seq + 1, None

    def look(self, index: int, record: object, line: bytes | None = None) -> list[Fault]:
        """Name what is wrong with one record, compared with its line when there is one, and step over it."""
        self.looked_at = index + 1
        try:
            return [Fault(index, kind, detail) for kind, detail in self._findings(record, line)]
        except Exception as error:  # a dict whose own methods raise; nothing that comes from a file gets here
            self.skip()
            return [Fault(index, "unserialisable_payload", f"the record cannot be looked at ({type(error).__name__})")]

    def _findings(self, record: object, line: bytes | None) -> Iterator[tuple[str, str]]:
        seq, prev = self.seq, self.prev
        self.skip()
        if not isinstance(record, dict):
            yield "not_an_object", f"a record is a JSON object, got {type(record).__name__}"
            return
        if _is_hash(record.get("hash")):
            self.prev = self.head = record["hash"]
        if set(record) != FIELDS or not isinstance(record["kind"], str):
            yield "missing_fields", _field_problem(record)
            return
        try:
            digest = hash_of(record)
        except UnserialisableError as error:
            yield "unserialisable_payload", str(error)
            return
        if digest != record["hash"]:
            yield "hash_mismatch", f"its content hashes to {digest}"
        elif type(record["seq"]) is int:
            self.seq = record["seq"] + 1
        if type(record["seq"]) is not int or record["seq"] != seq:
            yield "seq_gap", f"seq {seq} is due here"
        if prev is not None and record["prev"] != prev:
            yield "prev_mismatch", f"the record before has the hash {prev}"
        if line is not None and canonical_bytes(record) + b"\n" != line:
            yield "not_canonical", _spelling_problem(line)


def _field_problem(record: Record) -> str:
    missing, extra = sorted(FIELDS - set(record)), sorted(ascii(key)[:40] for key in set(record) - FIELDS)[:5]
    parts = [f"no {', '.join(missing)}"] * bool(missing) + [f"unexpected {', '.join(extra)}"] * bool(extra)
    return "; ".join(parts) or "kind is no string"


def _spelling_problem(line: bytes) -> str:
    return "the line is not the canonical form of its record" if line.endswith(b"\n") else "it was cut: no newline"


def _may_be_too_much(line: bytes) -> bool:
    """False when a line, by its size and its brackets, cannot break the limits of `course.jsonable`: nearly always."""
    if len(line) <= 3 * MOST_LEVELS:
        return False
    return len(line) > MOST_VALUES or line.count(b"[") + line.count(b"{") > MOST_LEVELS


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _batches(file: BinaryIO) -> Iterator[list[bytes]]:
    """The file's lines, some 16 kB at a time; of a line longer than MAX_LINE only the first MAX_LINE + 1 bytes."""
    batch, size, enough = list[bytes](), 0, min(_BATCH, MAX_LINE)
    for line in iter(partial(file.readline, MAX_LINE + 1), b""):
        batch.append(line)
        size += len(line)
        if size > enough:
            rest = line
            while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
                rest = file.readline(MAX_LINE + 1)
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_line(line: bytes) -> tuple[object, str | None]:
    """Parse one line: the value, or None and what is wrong with the line."""
    if len(line) > MAX_LINE:
        return None, f"is longer than {MAX_LINE} bytes"
    try:
        text = line.decode("utf-8")
        value, end = _parse(text)
    except UnicodeDecodeError as error:
        return None, f"is no UTF-8 at byte {error.start}"
    except RecursionError:
        return None, "is nested too deeply to be read"
    except ValueError:
        cut = "" if line.endswith(b"\n") else ", and it was cut: no newline"
        return None, f"is no JSON{cut}"
    return (value, None) if text[end:] in ("\n", "") else (None, "holds more than one JSON value")


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


_parse = json.JSONDecoder(parse_constant=_no_constant).raw_decode
