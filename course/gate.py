"""The gate: its exit code is the verdict. 0 every leg passed, 1 a fault was found, 2 something could not be graded.

A gate is worth what it can refuse. So one leg breaks transcripts on purpose and wants each break found. What it expects
it reads from the file's own bytes, with a hash function and a pattern: it shares no code with the verifier it grades.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from course.demo import DEMOS, broken_claims
from course.transcript import Anchor, Fault, verify_file, verify_records

Lines = list[bytes]  # a transcript file, cut after each newline
Leg = Callable[[Path], Iterator[str]]  # takes a scratch folder, yields a sentence for each fault

_PAYLOAD = re.compile(rb'"payload":(.*),"prev":"', re.DOTALL)
_LINE = re.compile(rb'\{"hash":"([0-9a-f]{64})",(.*"prev":"([0-9a-f]{64})","seq":([0-9]+)\})\n', re.DOTALL)


def first_break(lines: Lines) -> int | None:
    """Where the chain first breaks, judged on the bytes alone; None when it holds."""
    prev = b"0" * 64
    for index, line in enumerate(lines):
        found = _LINE.fullmatch(line)
        if not found or found[1] != _hash_of(found[2]) or found[3] != prev or int(found[4]) != index:
            return index
        prev = found[1]
    return None


def _hash_of(rest: bytes) -> bytes:
    return hashlib.sha256(b"{" + rest).hexdigest().encode()


def _rehashed(line: bytes) -> bytes:
    """A line with the hash that its bytes ask for: what a careful forger writes."""
    rest = line[len(b'{"hash":"') + 64 + len(b'",') : -1]
    return b'{"hash":"' + _hash_of(rest) + b'",' + rest + b"\n"


def _edited(line: bytes) -> bytes:
    """A line that tells another story, its hash left as it was."""
    found = _PAYLOAD.search(line)
    assert found
    return line[: found.start(1)] + b'{"ok":true,"result":"forged"}' + line[found.end(1) :]


def reforged(lines: Lines, index: int) -> Lines:
    """Edit record `index` and forge every later one to fit, as someone who holds the file can."""
    forged = [*lines[:index], _rehashed(_edited(lines[index]))]
    for line in lines[index + 1 :]:
        head = _LINE.fullmatch(forged[-1])
        found = _LINE.fullmatch(line)
        assert head and found
        forged.append(_rehashed(line[: found.start(3)] + head[1] + line[found.end(3) :]))
    return forged


def mutations(lines: Lines) -> Iterator[tuple[str, Lines]]:
    """Every way to tamper that the chain must show, at every record: what was done, and the lines after it."""
    for k, line in enumerate(lines):
        before, after = lines[:k], lines[k + 1 :]
        yield f"record {k} edited", [*before, _edited(line), *after]
        yield f"record {k} duplicated", [*before, line, line, *after]
        yield f"record {k} emptied", [*before, b"{}\n", *after]
        yield f"record {k} replaced by a list", [*before, b"[]\n", *after]
        if after:
            yield f"record {k} removed", [*before, *after]
            yield f"record {k} edited and its hash recomputed", [*before, _rehashed(_edited(line)), *after]
            yield f"records {k} and {k + 1} swapped", [*before, after[0], line, *after[1:]]


def tampering_that_passes(folder: Path) -> Iterator[str]:
    """Leg: both verifiers find every mutation of every demo transcript, at the record where the bytes first break."""
    for name, demo in DEMOS.items():
        lines = demo.transcript().to_bytes().splitlines(keepends=True)
        for verifier, found in _verdicts(lines, folder):
            if found is not None:
                yield f"{name}: an untouched transcript was refused by {verifier} at record {found}"
        for what, mutated in mutations(lines):
            due = first_break(mutated)
            if due is None:
                raise RuntimeError(f"{what}: the bytes still hold, so nothing can be asked of the verifier")
            for verifier, found in _verdicts(mutated, folder):
                if isinstance(found, str):
                    yield f"{name}: {what}: {verifier} raised {found}, and it must never raise"
                elif found is None:
                    yield f"{name}: a mutated transcript verified: {what}, and {verifier} found nothing"
                elif found != due:
                    yield f"{name}: {what}: the first break is at record {due}, {verifier} says {found}"


def limits_that_moved(folder: Path) -> Iterator[str]:
    """Leg: what the chain cannot show passes without an anchor and is caught with one; what we say of it stays true."""
    for name, demo in DEMOS.items():
        lines = demo.transcript().to_bytes().splitlines(keepends=True)
        head = _LINE.fullmatch(lines[-1])
        assert head
        anchor = Anchor(len(lines), head[1].decode())
        cases = [(f"cut to {n} records", lines[:n]) for n in range(len(lines))]
        cases += [(f"forged from record {k} on", reforged(lines, k)) for k in range(len(lines))]
        for what, forged in cases:
            path = folder / "limit.jsonl"
            path.write_bytes(b"".join(forged))
            if first_break(forged) is not None or not verify_file(path).ok:
                yield f"{name}: {what}: refused without an anchor, which the chain alone cannot do"
            if verify_file(path, anchor).ok:
                yield f"{name}: {what}: verified against an anchor that it does not fit"


def _verdicts(lines: Lines, folder: Path) -> Iterator[tuple[str, int | str | None]]:
    """Each verifier's name and the first record that it complains of: None for none, a type's name when it raised."""
    path = folder / "tampered.jsonl"
    path.write_bytes(b"".join(lines))
    verifiers: dict[str, Callable[[], list[Fault]]] = {
        "verify_records": lambda: verify_records([json.loads(line) for line in lines]),
        "verify_file": lambda: verify_file(path).faults,
    }
    for name, verify in verifiers.items():
        try:
            faults = verify()
        except Exception as error:
            yield name, type(error).__name__
        else:
            yield name, faults[0].index if faults else None


LEGS: dict[str, Leg] = {
    "the demo's claims hold": broken_claims,
    "tampering is found": tampering_that_passes,
    "the limits are where we say": limits_that_moved,
}


def gate(legs: dict[str, Leg] = LEGS, say: Callable[[str], object] = print) -> int:
    """Run every leg and return the verdict. legs: by name; say: takes each line of the report."""
    verdicts = []
    for name, leg in legs.items():
        try:
            with tempfile.TemporaryDirectory() as folder:
                faults = list(leg(Path(folder)))
        except Exception as error:  # a leg that breaks has graded nothing, and that is not a pass
            say(f"?     {name}: could not be graded ({type(error).__name__}: {error})")
            verdicts.append(2)
            continue
        say(f"{'FAULT' if faults else 'ok   '} {name}")
        for fault in faults[:20]:
            say(f"      {fault}")
        if len(faults) > 20:
            say(f"      and {len(faults) - 20} more")
        verdicts.append(1 if faults else 0)
    return 1 if 1 in verdicts else max(verdicts, default=2)


def add_command(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """`python -m course gate`: exit 0 every leg passed, 1 graded fault, 2 could not grade."""
    return lambda options: gate()
