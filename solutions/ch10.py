# %% [markdown]
# # 10 · A transcript that shows tampering
#
# **You will build** a file of records in which an edit shows, the verifier that finds it, and a gate that finds out whether the verifier does.
#
# **You need** Python: dicts, bytes, exceptions, a small class. No key, no network, no earlier session.
#
# **Minutes** about 120.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## What there is to protect
#
# An **agent** is a loop in which a model asks for tools, ordinary functions, and the loop calls them. What happens is written down as **records**: the task,
# each turn of the model, each call, the stop. This file retells a run that really went wrong
# ([amd/gaia #3750](https://github.com/amd/gaia/issues/3750)). The tool that was needed was not loaded, so the model called the only one there was until a
# guard stopped it. Then the framework told the user that all was done.

# %% tags=["given"]
import json
from importlib.resources import files

original = (files("course") / "data" / "transcripts" / "gaia-3750.jsonl").read_bytes()
records = [json.loads(line) for line in original.splitlines()]

for record in records:
    print(f"{record['seq']:2}  {record['kind']:9}  prev {record['prev'][:6]}  hash {record['hash'][:6]}")
print({key: records[-1]["payload"][key] for key in ("reason", "answer")})

# %% [markdown]
# A guard ended the run, and the answer is cheerful. Whoever wants the answer to stand has to change this file. The columns on the
# right make that show.
#
# A **hash** is a short text computed from bytes, here with SHA-256. The same bytes give the same hash; other bytes give another one.

# %% tags=["given"]
import hashlib


def sha256(data):
    """64 hex digits that stand for these bytes."""
    return hashlib.sha256(data).hexdigest()


GENESIS = "0" * 64  # stands where the hash of the record before would, when there is none

print(sha256(b"loop_guard"))
print(sha256(b"loop_guarb"))

# %% [markdown]
# ## 1 · One value, one spelling
#
# The audit log of PageSpace hashed its events as `JSON.stringify` wrote them. The database gave the same values back with their keys in another order, and the
# verifier, which hashed them anew, could verify no entry. A second log put its keys in order with a filter that dropped names inside nested objects:
# what they held was in no hash, and could be changed unseen
# ([2witstudios/PageSpace #1073](https://github.com/2witstudios/PageSpace/pull/1073)).
#
# A hash is over bytes, and one value has many spellings. `json.dumps` also writes things that do not come back; `why_not_json` finds them.

# %% tags=["given"]
from course.jsonable import why_not_json

for text in ('{"a":1,"b":2}', '{"b":2,"a":1}', '{"a": 1, "b": 2}'):
    print(sha256(text.encode("utf-8"))[:12], text, json.loads(text) == {"a": 1, "b": 2})

for value in ({"n": float("nan")}, {7: "seven"}, {"n": [7]}):
    print(json.dumps(value), "|", why_not_json(value))


def recorded_again():
    """The run from the file, recorded by the class that you are about to write."""
    mine = Transcript()
    for record in records:
        mine.append(record["kind"], record["payload"])
    return mine.to_bytes()


def where_they_part(mine, theirs):
    """The first byte at which two files differ and what stands around it; None when they are equal."""
    if mine == theirs:
        return None
    pairs = enumerate(zip(mine, theirs))
    at = next((n for n, (one, other) in pairs if one != other), min(len(mine), len(theirs)))
    return f"byte {at}: {mine[max(at - 20, 0) : at + 20]} and {theirs[max(at - 20, 0) : at + 20]}"

# %% [markdown]
# **You write** two things.
#
# `canonical_bytes(value)` returns the one spelling of a JSON value: UTF-8, keys sorted at every level as Python sorts texts, `,` and `:` without spaces, each
# character as it is unless JSON must escape it; escapes and numbers are those of `json.dumps`. Nothing is left out or mended. Where `why_not_json` finds
# something, it raises `ValueError`.
#
# `Transcript()`, a class:
#
# - `records` is the list of its records. `append(kind, payload)` adds one and returns it.
# - A record is a dict with exactly `hash`, `kind`, `payload`, `prev` and `seq`. `seq` counts from 0. `prev` is the `hash` of the record before, `GENESIS` in
#   the first. `hash` is the `sha256` of the canonical bytes of the other four.
# - What happens to the payload later does not reach the record. If it has no canonical form, `append` raises `ValueError` and adds nothing.
# - `to_bytes()` returns the file: the canonical bytes of each record, each followed by `\n`.
#
# **Don't change** `GENESIS` or `sha256`.
#
# **Done when** the same run, recorded twice, gives the same bytes.

# %% tags=["answer"] exercise="ch10-e1"
def canonical_bytes(value):
    """The one UTF-8 spelling of a JSON value; ValueError for what JSON cannot hold."""
    ### BEGIN SOLUTION
    problem = why_not_json(value)
    if problem:
        raise ValueError(problem)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    ### END SOLUTION


class Transcript:
    """Records, each bound to the one before by its hash."""

    def __init__(self):
        ### BEGIN SOLUTION
        self.records = []
        ### END SOLUTION

    def append(self, kind, payload):
        """Add a record and return it."""
        ### BEGIN SOLUTION
        prev = self.records[-1]["hash"] if self.records else GENESIS
        body = canonical_bytes({"kind": kind, "payload": payload, "prev": prev, "seq": len(self.records)})
        record = {"hash": sha256(body), **json.loads(body)}
        self.records.append(record)
        return record
        ### END SOLUTION

    def to_bytes(self):
        """The file."""
        ### BEGIN SOLUTION
        return b"".join(canonical_bytes(record) + b"\n" for record in self.records)
        ### END SOLUTION

# %% [markdown]
# Yours beside what it should be; this runs even while the stubs raise.

# %% tags=["demo"] exercise="ch10-e1"
compare(lambda: canonical_bytes({"b": [1, 1.0, True], "a": "é"}).decode("utf-8"), '{"a":"é","b":[1,1.0,true]}')

# %% tags=["demo"] exercise="ch10-e1"
compare(lambda: where_they_part(recorded_again(), original), None)

# %% tags=["check"] exercise="ch10-e1"
check("ch10-e1", canonical_bytes, Transcript)

# %% [markdown]
# ## 2 · Trust no stored hash
#
# The relay of paramant showed `chain_valid` beside its audit log. Its verifier compared each entry's `prev_hash` with the hash stored in the entry before, and
# computed none. Several fields, the device among them, could be changed, and `chain_valid` stayed true
# ([Apolloccrypt/paramant-relay #210](https://github.com/Apolloccrypt/paramant-relay/pull/210)).
#
# Here is such a verifier, and an edit that it does not see. A **fault** says which record, counted from 0, and what is wrong with it.

# %% tags=["given"]
from copy import deepcopy
from itertools import pairwise


def fault(index, kind, detail=""):
    """One thing that is wrong with one record; `detail` is for people."""
    return {"index": index, "kind": kind, "detail": detail}


def links_only(records):
    """Follows the links, and believes each hash as it stands."""
    pairs = enumerate(pairwise(records), 1)
    return [fault(n, "prev_mismatch") for n, (before, record) in pairs if record["prev"] != before["hash"]]


def edited(records, index, **changes):
    """A copy in which the payload of one record says something else."""
    changed = deepcopy(records)
    changed[index]["payload"].update(changes)
    return changed


def first(faults):
    """(kind, index) of the first fault, None when there is none."""
    return (faults[0]["kind"], faults[0]["index"]) if faults else None


better = edited(records, 3, result="function added")
print(better[3]["payload"]["result"], "|", links_only(better))

# %% [markdown]
# A careful forger computes the record's hash anew. Then that record is in order, and the next one gives it away:
#
# ![Four records in a row, 2 to 5. Each box shows prev, payload and hash, and a line leads from each prev to the hash of the box before it. Record 3 was edited and its hash computed anew, d308: by itself it is in order. Record 4 still has the old hash, 22ac, as its prev. The link between the two is broken, a prev_mismatch at record 4; the other links hold.](pictures/ch10-chain.svg)
#
# `Chain` draws what a verifier says of a chain.

# %% tags=["given"]
from html import escape

FIELDS = {"hash", "kind", "payload", "prev", "seq"}


class Chain:
    """Each record of a chain with the faults that `verify` finds in it."""

    def __init__(self, records, verify):
        self.note, found = "", []
        try:
            found = verify(records)
        except Exception as error:
            self.note = f"{type(error).__name__}: {error}"
        kinds = [[one["kind"] for one in found if one["index"] == n] for n in range(len(records))]
        self.marks = [(n, ", ".join(there)) for n, there in enumerate(kinds)]

    def __repr__(self):
        return "\n".join([*(f"{n}: {kinds or 'in order'}" for n, kinds in self.marks), self.note])

    def _repr_html_(self):
        box = "display:inline-block;padding:4px 10px 4px 0;margin-right:6px;border-top:4px solid"
        return escape(self.note) + "".join(
            f'<div style="{box} {"#b3402f" if kinds else "#2a7d4f"}">{n} <b>{escape(kinds)}</b></div>'
            for n, kinds in self.marks
        )


careful = deepcopy(better)
careful[3]["hash"] = "d308a111a99710681eb939a8a060d20b982f374d4735c17cd75b8206894fe92d"  # of what it says now
Chain(careful, links_only)

# %% [markdown]
# **You write** `verify_records(records)`. It returns a list of what `fault` makes, empty for an intact chain.
#
# | kind | the record |
# |---|---|
# | `not_an_object` | is no dict |
# | `missing_fields` | has not exactly the five `FIELDS`, or its `kind` is no text |
# | `unserialisable_payload` | has no canonical form: `canonical_bytes` raises `ValueError` |
# | `hash_mismatch` | has a `hash` that is not the `sha256` of the other four fields |
# | `seq_gap` | has a `seq` that is not the integer due here; `True` and `1.0` are no 1 |
# | `prev_mismatch` | has a `prev` that is not the `hash` stored in the record before, `GENESIS` for the first |
#
# - Ask in the order of the table. After one of the first three there is nothing left to ask of that record.
# - Faults come in the order of the records. Every further edit must be among them; what else you report behind the first is up to you.
# - It never raises, whatever the list holds.
#
# **Don't change** the records.
#
# **Done when** each kind is found at the right record, and no hash was believed.

# %% tags=["answer"] exercise="ch10-e2"
def verify_records(records):
    """The faults of a chain, first affected record first; an empty list when it holds."""
    ### BEGIN SOLUTION
    faults, before = [], GENESIS
    for index, record in enumerate(records):
        found = []
        if not isinstance(record, dict):
            found.append("not_an_object")
        elif set(record) != FIELDS or not isinstance(record["kind"], str):
            found.append("missing_fields")
        else:
            try:
                body = canonical_bytes({key: record[key] for key in FIELDS - {"hash"}})
            except ValueError:
                found.append("unserialisable_payload")
            else:
                if record["hash"] != sha256(body):
                    found.append("hash_mismatch")
                if type(record["seq"]) is not int or record["seq"] != index:
                    found.append("seq_gap")
                if before is not None and record["prev"] != before:
                    found.append("prev_mismatch")
        faults += [fault(index, kind) for kind in found]
        before = record.get("hash") if isinstance(record, dict) else None
    return faults
    ### END SOLUTION

# %% tags=["demo"] exercise="ch10-e2"
compare(
    lambda: {
        "untouched": first(verify_records(records)),
        "edited": first(verify_records(better)),
        "edited_with_care": first(verify_records(careful)),
        "removed": first(verify_records([*records[:3], *records[4:]])),
        "a_list": first(verify_records([*records[:3], []])),
    },
    untouched=None,
    edited=("hash_mismatch", 3),
    edited_with_care=("prev_mismatch", 4),
    removed=("seq_gap", 3),
    a_list=("not_an_object", 3),
)

# %% tags=["demo"] exercise="ch10-e2"
Chain(better, verify_records)

# %% tags=["check"] exercise="ch10-e2"
check("ch10-e2", verify_records)

# %% [markdown]
# ## 3 · From records to a file
#
# The file of a coding session had 7,166 lines, two of them cut off in the middle. On resume everything from the first such line on was left out, without
# a word: the conversation seemed to have ended days before it did
# ([anthropics/claude-code #50347](https://github.com/anthropics/claude-code/issues/50347)). To skip bad lines would hide the hole.
#
# Between a file and its records stands a parser, and it forgives a lot.

# %% tags=["given"]
import tempfile
from pathlib import Path


def report(count, head, faults):
    """What there is to say of a file."""
    return {"count": count, "head": head, "faults": faults}


folder = tempfile.TemporaryDirectory()  # it goes when the kernel goes


def saved(data):
    """The path of a file with these bytes in it, until the next one is saved."""
    path = Path(folder.name, "run.jsonl")
    path.write_bytes(data)
    return str(path)


def seen(data):
    """The count of a file with these bytes, and its first fault."""
    made = verify_file(saved(data))
    return made["count"], first(made["faults"])


lines = original.splitlines(keepends=True)
damaged = {
    "untouched": original,
    "torn": original[:-9],
    "a_key_twice": b"".join([*lines[:3], b'{"kind":"stop",' + lines[3][1:], *lines[4:]]),
    "windows_newlines": original.replace(b"\n", b"\r\n"),
}

crlf = saved(b'{"n":1}\r\n')
with open(crlf, encoding="utf-8") as as_text, open(crlf, "rb") as as_bytes:
    print("opened as text:", as_text.readlines(), "  as bytes:", as_bytes.readlines())
print("a key twice:   ", json.loads('{"ok": false, "ok": true}'))
print("no JSON at all:", json.loads('{"n": NaN}'))

# %% [markdown]
# **You write** `verify_file(path)`. It returns a `report`:
#
# - `count`, the number of lines that hold JSON; `head`, the `hash` as it stands in the last line that can be read, `GENESIS` when there is none;
# - `faults`, in the order of the lines. A fault's `index` is that of its line, from 0. A line ends at `\n` and nowhere else.
#
# | kind | |
# |---|---|
# | `unreadable` | the file cannot be opened: the only fault, index 0, count 0, head `GENESIS` |
# | `bad_json` | the line is no JSON in UTF-8, or was cut, or is empty. `detail` names it counted from 1, as in `line 3` |
# | those of `verify_records` | as before |
# | `not_canonical` | asked last: the line is not the canonical bytes of its value and `\n`. Think of spaces, a key twice, `\r\n`, a newline that is missing |
#
# - Look at every line. Whether the one right behind a bad line gets a fault of its own is up to you, as is everything after a line's first fault.
# - `NaN` in a line may be `bad_json` or `unserialisable_payload`.
# - It never raises, not even over 5,000 digits or 100,000 brackets.
#
# **Don't change** the file.
#
# **Done when** a torn line, a doubled key and an edit are each found at their line.

# %% tags=["answer"] exercise="ch10-e3"
def verify_file(path):
    """The report on a transcript file, judged byte by byte."""
    ### BEGIN SOLUTION
    try:
        with open(path, "rb") as file:
            lines = file.readlines()
    except OSError as error:
        return report(0, GENESIS, [fault(0, "unreadable", str(error.strerror))])
    values, bad, faults = [], set(), []
    for index, line in enumerate(lines):
        try:
            values.append(json.loads(line.decode("utf-8")))
        except (ValueError, RecursionError):  # the second: nested too deeply
            values.append(None)
            bad.add(index)
            faults.append(fault(index, "bad_json", f"line {index + 1} is no JSON in UTF-8, or was cut"))
    faults += [one for one in verify_records(values) if one["index"] not in bad]
    for index, (line, value) in enumerate(zip(lines, values)):
        if index not in bad and not why_not_json(value) and canonical_bytes(value) + b"\n" != line:
            faults.append(fault(index, "not_canonical", f"line {index + 1} is spelled otherwise"))
    faults.sort(key=lambda one: one["index"])  # a stable sort: within a line the order stays
    read = [value for index, value in enumerate(values) if index not in bad]
    head = read[-1]["hash"] if read and isinstance(read[-1], dict) and "hash" in read[-1] else GENESIS
    return report(len(read), head, faults)
    ### END SOLUTION

# %% tags=["demo"] exercise="ch10-e3"
compare(
    lambda: {name: seen(data) for name, data in damaged.items()},
    untouched=(11, None),
    torn=(10, ("bad_json", 10)),
    a_key_twice=(11, ("not_canonical", 3)),
    windows_newlines=(11, ("not_canonical", 0)),
)

# %% tags=["check"] exercise="ch10-e3"
check("ch10-e3", verify_file)

# %% [markdown]
# ## 4 · What the chain does not prove
#
# The audit log of Aegis is chained in this way. Its author wrote down what that does not find, and holds it by a test: records cut from the end, since the
# beginning of a valid chain is one ([antropos17/Aegis #173](https://github.com/antropos17/Aegis/pull/173)). A pull request to Microsoft's lesson on signed
# receipts asks for the same: a chain speaks of the records that are shown, and completeness needs something kept elsewhere
# ([ai-agents-for-beginners #722](https://github.com/microsoft/ai-agents-for-beginners/pull/722)).
#
# In our file the stop is the last record. Without it no guard ever fired, and the verifier is content:

# %% tags=["given"]
compare(
    lambda: {"all": verify_records(records), "stop_cut_off": verify_records(records[:-1])},
    all=[],
    stop_cut_off=[],
)

# %% [markdown]
# What closes the gap is an **anchor**: count and head hash, kept where the writer of the file cannot reach it. It fits on a slip of paper.
#
# ![Three chains beside one anchor, which says 4 records, head 3f0e. The intact chain has 4 records and ends with 3f0e: it verifies and fits. A chain that was cut has 3 records and ends with 8d72: it verifies and does not fit. A chain whose last record was re-forged has 4 records and ends with b519: it verifies, and the count fits, but the head does not.](pictures/ch10-anchor.svg)

# %% tags=["given"]
def anchor_of(records):
    """What to keep elsewhere."""
    return {"count": len(records), "head": records[-1]["hash"] if records else GENESIS}


def happy_end():
    """The last record, which nothing follows, now says that the model came to its end by itself."""
    return reforge(records, 10, {**records[10]["payload"], "reason": "no_tool_calls"})


anchor = anchor_of(records)
print(anchor)

# %% [markdown]
# **You write** two things.
#
# `reforge(records, index, payload)` returns a new list that `verify_records` accepts, in which record `index` holds `payload`. The records before it stay as
# they are; all others keep their `kind`, `seq` and payload.
#
# `verify_anchored(records, anchor)` returns the faults of `verify_records`, followed by those that the anchor shows, in the order of the table. `None` shows none.
#
# | kind | index | when |
# |---|---|---|
# | `records_missing` | number of records | they are fewer than the anchor counts |
# | `head_mismatch` | the anchor's count − 1 | they are enough, and what stands there has another `hash`, or none |
# | `beyond_anchor` | the anchor's count | they are more, whether or not the head fits |
#
# It never raises. An anchor with count 0 names no record: its head, `GENESIS`, fits whatever came later.
#
# **Don't change** what you are given. The anchor comes from outside: one made from the records always fits.
#
# **Done when** a cut and a re-forged chain pass without an anchor, and neither passes with it.

# %% tags=["answer"] exercise="ch10-e4"
def reforge(records, index, payload):
    """The chain with another payload at `index`, and every later record made to fit."""
    ### BEGIN SOLUTION
    forged = deepcopy(records)
    forged[index]["payload"] = payload
    for n in range(index, len(forged)):
        body = {key: forged[n][key] for key in FIELDS - {"hash"}}
        body["prev"] = forged[n - 1]["hash"] if n else GENESIS
        forged[n] = {"hash": sha256(canonical_bytes(body)), **body}
    return forged
    ### END SOLUTION


def verify_anchored(records, anchor):
    """The faults of a chain, and those that only an anchor can show."""
    ### BEGIN SOLUTION
    faults = verify_records(records)
    if anchor is None:
        return faults
    count = anchor["count"]
    if len(records) < count:
        return [*faults, fault(len(records), "records_missing", f"{len(records)} of {count}")]
    last = records[count - 1] if count else {"hash": GENESIS}
    if not isinstance(last, dict) or last.get("hash") != anchor["head"]:
        faults.append(fault(max(count - 1, 0), "head_mismatch", "another record than the anchored one"))
    if len(records) > count:
        faults.append(fault(count, "beyond_anchor", f"{len(records)} records, and the anchor counts {count}"))
    return faults
    ### END SOLUTION

# %% tags=["demo"] exercise="ch10-e4"
from IPython.display import display

from course.widgets import tamper_bench

shown = compare(
    lambda: {
        "reason": happy_end()[-1]["payload"]["reason"],
        "the_chain_says": first(verify_anchored(happy_end(), None)),
        "the_anchor_says": first(verify_anchored(happy_end(), anchor)),
        "cut": first(verify_anchored(records[:-1], anchor)),
    },
    reason="no_tool_calls",
    the_chain_says=None,
    the_anchor_says=("head_mismatch", 10),
    cut=("records_missing", 10),
)
display(shown)
# Edit a record, take it out, swap it or forge its hashes: which of the two finds it?
tamper_bench(records, the_chain=verify_records, with_the_anchor=lambda now: verify_anchored(now, anchor))

# %% tags=["check"] exercise="ch10-e4"
check("ch10-e4", reforge, verify_anchored)

# %% [markdown]
# ## 5 · A gate that can fail
#
# In one project the exit code of the test runner counted as the truth. Then a clean-up deleted the folder of a build that was still running. The build failed;
# the runner found no tests, and exited with 0. Four of the project's five gates would have taken that for a pass
# ([mattias800/prosper #2187](https://github.com/mattias800/prosper/issues/2187)).
#
# A **gate** is a command whose exit code is the verdict: 0 passed, 1 a fault was found, 2 could not be graded. Ours grades a verifier. It is worth something only
# if it can fail, and this one cannot:

# %% tags=["given"]
def friendly_gate(verify):
    """Asks the verifier where the fault is, and then whether it finds it there."""
    broken = edited(records, 3, result="function added")
    expected = verify(broken)
    return 0 if verify(broken) == expected else 1


def off_by_one(records):
    """Counts from 1."""
    return [{**one, "index": one["index"] + 1} for one in verify_records(records)]


def falls_over(records):
    if verify_records(records):
        raise TypeError("this verifier cannot take bad news")
    return []


sabotaged = {
    "accepts_everything": lambda records: [],
    "hashes_only": lambda records: [f for f in verify_records(records) if f["kind"] == "hash_mismatch"],
    "refuses_everything": lambda records: [fault(0, "hash_mismatch")],
    "links_only": links_only,
    "off_by_one": off_by_one,
    "falls_over": falls_over,
}

for name in ("accepts_everything", "refuses_everything", "links_only"):
    print(name, friendly_gate(sabotaged[name]))


def removed(records, k):
    return deepcopy([*records[:k], *records[k + 1 :]])


def swapped(records, k):
    return deepcopy([*records[:k], records[k + 1], records[k], *records[k + 2 :]])

# %% [markdown]
# **You write** two things.
#
# `tampering(records, verify)` gets an intact chain, and a verifier to call with a list of records. It hands over the records untouched, and then, one at a
# time, these copies for every `k`, the last three only where a next record is there:
#
# | record `k` | first fault due at |
# |---|---|
# | payload edited, hash left | `k` |
# | payload edited, hash computed anew | `k + 1` |
# | removed | `k` |
# | swapped with the next | `k` |
#
# It returns a list of sentences, one for each time that the verifier was wrong: found fault with the untouched, named another index first, raised an `Exception`,
# or found nothing, and only then the sentence contains `a mutated transcript verified`. A verifier may edit what it gets, so hand over deep copies, of the untouched
# too. Where the fault is due you know from what you did: ask no verifier, not even your own.
#
# `gate(legs, say=print)` gets a dict, name -> **leg**: a function without arguments that returns a list of sentences, empty for none. It runs every leg once, tells
# `say` the name of each and every sentence, and returns
#
# - `1` when a leg found a fault;
# - else `2` when a leg raised an `Exception` or returned no list, or there was no leg;
# - else `0`.
#
# **Don't change** the records.
#
# **Done when** your gate passes an honest verifier and fails each sabotaged one.

# %% tags=["answer"] exercise="ch10-e5"
def tampering(records, verify):
    """A sentence for each time that `verify` was wrong about a broken copy, or about the untouched records."""
    ### BEGIN SOLUTION
    trials = [("untouched", records, None)]
    for k in range(len(records)):
        forged = deepcopy(records)
        forged[k]["payload"] = {"forged": True}
        trials.append((f"record {k} edited", forged, k))
        if k + 1 < len(records):
            hidden = deepcopy(forged)
            hidden[k]["hash"] = sha256(canonical_bytes({key: hidden[k][key] for key in FIELDS - {"hash"}}))
            trials.append((f"record {k} edited and its hash computed anew", hidden, k + 1))
            trials.append((f"record {k} removed", removed(records, k), k))
            trials.append((f"records {k} and {k + 1} swapped", swapped(records, k), k))
    sentences = []
    for done, given, due in trials:
        try:
            faults = verify(deepcopy(given))
        except Exception as error:
            sentences.append(f"{done}: the verifier raised {type(error).__name__}")
            continue
        named = faults[0]["index"] if faults else None
        if named is None and due is not None:
            sentences.append(f"{done}: a mutated transcript verified")
        elif named != due:
            sentences.append(f"{done}: first fault due at {due}, named at {named}")
    return sentences
    ### END SOLUTION


def gate(legs, say=print):
    """Run every leg; 0 all passed, 1 a fault was found, 2 something could not be graded."""
    ### BEGIN SOLUTION
    codes = []
    for name, leg in legs.items():
        try:
            sentences = leg()
            if not isinstance(sentences, list):
                raise TypeError(f"a leg returns a list, not {type(sentences).__name__}")
        except Exception as error:
            say(f"?     {name}: could not be graded ({type(error).__name__}: {error})")
            codes.append(2)
            continue
        say(f"{'FAULT' if sentences else 'ok   '} {name}")
        for sentence in sentences:
            say(f"      {sentence}")
        codes.append(1 if sentences else 0)
    return 1 if 1 in codes else max(codes, default=2)
    ### END SOLUTION

# %% tags=["demo"] exercise="ch10-e5"
short = records[:3]  # the beginning of an intact chain is one, as exercise 4 showed

compare(
    lambda: {
        "honest": tampering(short, verify_records),
        "accepts_everything": "verified" in " ".join(tampering(short, sabotaged["accepts_everything"])),
    },
    honest=[],
    accepts_everything=True,
)

# %% tags=["demo"] exercise="ch10-e5"
def code(verify):
    """What the gate says of a verifier, without the words."""
    return gate({"tampering": lambda: tampering(short, verify)}, say=len)


compare(
    lambda: {
        "honest": code(verify_records),
        **{name: code(verify) for name, verify in sabotaged.items()},
        "a_leg_raised": gate({"division": lambda: 1 / 0}, say=len),
        "no_leg": gate({}),
    },
    honest=0,
    **dict.fromkeys(sabotaged, 1),
    a_leg_raised=2,
    no_leg=2,
)

# %% tags=["check"] exercise="ch10-e5"
check("ch10-e5", tampering, gate)

# %% [markdown]
# ## What you have
#
# **Built:** records with one spelling in a chain of hashes, a verifier for records and for files, an anchor, and a gate with three exit codes.
#
# **Measured:** what the chain sees of five attacks, and what chain and anchor see. Each `None` is what the anchor is for.

# %% tags=["given"]
def seen_by_both(chain):
    """(what the chain shows, what chain and anchor show)"""
    return first(verify_anchored(chain, None)), first(verify_anchored(chain, anchor))


compare(
    lambda: {
        "edited": seen_by_both(better),
        "removed": seen_by_both([*records[:5], *records[6:]]),
        "cut": seen_by_both(records[:7]),
        "last_re_forged": seen_by_both(happy_end()),
        "all_re_forged": seen_by_both(reforge(records, 0, "another story")),
    },
    edited=(("hash_mismatch", 3), ("hash_mismatch", 3)),
    removed=(("seq_gap", 5), ("seq_gap", 5)),
    cut=(None, ("records_missing", 7)),
    last_re_forged=(None, ("head_mismatch", 10)),
    all_re_forged=(None, ("head_mismatch", 10)),
)

# %% [markdown]
# **Not proved:** that the story is true. Our file verifies, anchor and all, with the sentence in it that misled the user. Nor does an anchor speak of what was
# written after it was kept, or of a run that was never recorded.

# %% tags=["given"]
print(records[-1]["payload"]["answer"])
compare(lambda: verify_anchored(records, anchor), [])

# %% [markdown]
# **Next**, session 11, serves the tools of the course to programs that you did not write. The course's own version of what you have built takes the anchor in
# `verify_file`, returns its faults as objects, and has its gate as a command, `python -m course gate`:
#
# ```python
# from course.transcript import Anchor, Transcript, verify_file, verify_records
# ```
