"""Session 10, a transcript that shows tampering: the chain of `spec/agentloop.md`, what it does not prove, the gate."""

import json
from copy import deepcopy
from itertools import permutations
from typing import Any

from course.gate import reforged
from course.transcript import GENESIS, Record, Transcript, canonical_bytes, hash_of, make_record, verify_records
from grader.engine.exercise import Session
from grader.engine.expect import Failure, Seen, expect, expect_fault, expect_raises
from grader.engine.student import Student
from grader.engine.world import CountedTool, Misprint, World

session = Session("ch10", "A transcript that shows tampering", builds=("course.transcript", "course.gate"))

FIELDS = ("hash", "kind", "payload", "prev", "seq")
ONE_SPELLING = "a hash is over bytes, so a value may be spelled in one way only"
RECOMPUTE = "a hash that is read and not computed says what the last one to edit the file wanted"
LINKS = "whoever recomputes a hash still has the next record against them"
NO_ENDING = "the chain alone cannot show this, and a verifier must not pretend that it can"
OUTSIDE = "only what was kept elsewhere knows how many there were, and which was the last"
PASSED = "a mutated transcript verified"
NOT_JSON = [float("nan"), float("inf"), {"seven"}, {7: "seven"}]


def rehashed(record: Record) -> Record:
    """A record with the hash that its content asks for: what a careful forger writes."""
    return {**record, "hash": hash_of(record)}


def edited(records: list[Record], index: int, rehash: bool = False, **fields: Any) -> list[Record]:
    """A copy in which record `index` has other `fields`, and its hash as it was, or computed anew."""
    changed = deepcopy(records)
    changed[index] = {**changed[index], **fields}
    changed[index] = rehashed(changed[index]) if rehash else changed[index]
    return changed


def long_run(world: World) -> list[Record]:
    """A dozen records, with the kinds of a real run, text of many alphabets, and payloads that count as false."""
    payloads: list[Any] = [
        {"task": world.words()}, None, {"é": "漢 😀", "nothing": None, "pages": [1, 2.5, {"deep": [True, ""]}]}, [], "",
        world.number(2, 99), False, {}, {"reason": "loop_guard", "answer": world.words()}, 0, [None, [[]]], [7],
    ]  # fmt: skip
    made = Transcript()
    for kind, payload in zip(("task", "turn", "tool", "stop", world.word(), "tool") * 2, payloads, strict=True):
        made.append(kind, payload)
    return made.records


def nearly(digest: str) -> list[str]:
    """Texts that a hasty comparison takes for `digest`."""
    last = "1" if digest[-1] == "0" else "0"
    return [digest[:-1] + last, digest[:8] + digest[:7:-1], digest.upper(), f"{digest} ", f"{digest}0", digest[:-1]]


def named(faults: Any) -> Seen:
    """(index, kind) of each fault."""
    return Seen([(one["index"].plain, one["kind"].plain) for one in faults], "(index, kind) of each fault")


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch10-e1",
    "One value, one spelling",
    provides=["canonical_bytes", "Transcript"],
    hints=[
        "In how many ways can `json.dumps` write one value? Which of its options closes each of them?",
        "A hash cannot be computed over a record that holds it already. Which four fields are there before it?",
        "The payload that you were given may change a moment later, and its canonical bytes cannot. What do you get "
        "when you read them back?",
    ],
)


@e1.case("keys are sorted at every level, and no space stands between them")
def spelling(student: Student, world: World) -> None:
    names, deeper = world.distinct_words(4), world.distinct_words(3)
    value = {name: {key: [world.number(1, 99), {"z": 1, "a": 2}] for key in deeper} for name in names}
    expect(student.canonical_bytes(value)).equals(canonical_bytes(value), because=ONE_SPELLING)


@e1.case("text stands in UTF-8 as it is, and only what JSON must escape is escaped")
def text(student: Student, world: World) -> None:
    value = {"note": f'{world.word()} é € 漢 😀 \u2028 "quoted"\n\\', "ключ": world.number(1, 9)}
    expect(student.canonical_bytes(value)).equals(
        canonical_bytes(value), because="the same text must have the same bytes on every machine"
    )


@e1.case('1, 1.0, true and "1" stay apart')
def kinds_of_one(student: Student, world: World) -> None:
    number = world.number(2, 99)
    value = [number, float(number), str(number), 1, True, None, "", [], {}]
    expect(student.canonical_bytes(value)).equals(canonical_bytes(value), because=ONE_SPELLING)


@e1.case("nothing is left out, and nothing mended: what is not in the bytes could be changed unseen", points=2)
def nothing_left_out(student: Student, world: World) -> None:
    word = world.word()
    names = [*"_private id time timestamp hash Zoë zoë \ufb01 \U0001f600".split(), "", word, word.title()]
    deep: Any = {"end": None}
    for level in range(12):
        deep = {word: [level, deep]} if level % 2 else [deep, {}]
    for value, because in (
        (
            {name: world.number(1, 99) for name in sorted(names, reverse=True)},
            "every name counts; they are sorted as Python sorts",
        ),
        ({"a": None, "b": [None, "", [], {}, False, 0], "c": "", "d": {}, "e": [], "f": False}, "empty is a value too"),
        (deep, "a value counts however deep it stands"),
        (["e\u0301", "\xe9", "\ufb01", f" {word}\t", "a\r\nb", "\xa0"], "other characters are another text"),
        (["\x00\x1f\x0b", "\b\f\n\r\t", "\x7f", "/<>&'", '"\\'], "an escape has one spelling, that of `json.dumps`"),
        ([0.1 + 0.2, 1e-7, 1e22, -0.0, 1.0, 123456.789012345], "a rounded number is another number"),
        ([2**53 + 1, -(2**63), 10**30, 0], "an integer is exact at any size"),
    ):
        held = student.hold(value)
        expect(student.canonical_bytes(held)).equals(canonical_bytes(value), because=because)
        expect(held.copy()).equals(value, because="the value itself is not edited")


@e1.case("what JSON cannot hold raises ValueError")
def no_json(student: Student, world: World) -> None:
    for value in NOT_JSON:
        with expect_raises(ValueError, because="what is written must be what comes back"):
            student.canonical_bytes({world.word(): [1, {"deep": value}]})


@e1.case("a record has five fields, and its hash is over the other four", points=2)
def one_record(student: Student, world: World) -> None:
    kind, payload = world.word(), {"topic": world.words(), "pages": [1, world.number(2, 99)]}
    record = student.Transcript.kept().method("append", kind, payload)
    expect(record).has_keys(*FIELDS)
    wanted, _ = make_record(kind, payload, 0, GENESIS)
    for field in ("kind", "payload", "seq", "prev", "hash"):
        expect(record[field]).equals(wanted[field], because="anyone must be able to compute the same hash")


@e1.case("each record is bound to the one before, and `records` holds them in order")
def chained(student: Student, world: World) -> None:
    wanted = world.transcript(world.number(3, 5))
    mine = student.Transcript.kept()
    for record in wanted.records:
        mine.method("append", record["kind"], record["payload"])
    expect(mine.attribute("records")).equals(wanted.records)


@e1.case("a payload that changes later does not change its record")
def by_value(student: Student, world: World) -> None:
    payload = {"topic": world.words(), "pages": [1, {"seen": [world.number(2, 99)]}]}
    held, mine = student.hold(payload), student.Transcript.kept()
    returned = mine.kept_method("append", "tool", held)
    expect(held.copy()).equals(payload, because="the payload itself is not edited")
    held.method("update", {"topic": "changed", "added": 1})
    held.item("pages").item(1).item("seen").method("append", 99)
    held.item("pages").method("append", 99)
    wanted, line = make_record("tool", payload, 0, GENESIS)
    expect(mine.attribute("records")).equals([wanted], because="a record says what was the case then")
    expect(returned.copy()).equals(wanted, because="`append` returns the record, and that says what was the case then")
    expect(mine.method("to_bytes")).equals(line)


@e1.case("a long run with equal records is kept whole, beside another run")
def long_and_repeated(student: Student, world: World) -> None:
    mine, other, theirs = student.Transcript.kept(), student.Transcript.kept(), world.transcript(1)
    wanted = Transcript()
    other.method("append", theirs.records[0]["kind"], theirs.records[0]["payload"])
    kinds = (f" {world.word()} é", world.word().upper(), "", "tool")
    for number, record in enumerate(long_run(world)):
        for _ in range(1 + number % 2):
            wanted.append(kinds[number % 4], record["payload"])
            mine.method("append", kinds[number % 4], record["payload"])
        if number == 5:
            because = "what was recorded so far, and more can come"
            expect(mine.method("to_bytes")).equals(wanted.to_bytes(), because=because)
    expect(mine.attribute("records")).equals(wanted.records, because="what happens twice is recorded twice")
    expect(mine.method("to_bytes")).equals(wanted.to_bytes(), because="the file holds every record, also the latest")
    student.Transcript.kept()
    because = "each transcript has records of its own"
    expect(other.attribute("records")).equals(theirs.records, because=because)
    expect(mine.attribute("records")).equals(wanted.records, because=because)


@e1.case("a payload that cannot be recorded raises ValueError, and nothing is added")
def refused(student: Student, world: World) -> None:
    wanted, mine = world.transcript(2), student.Transcript.kept()
    first, second = wanted.records
    mine.method("append", first["kind"], first["payload"])
    with expect_raises(ValueError):
        mine.method("append", world.word(), {"n": world.rng.choice(NOT_JSON)})
    mine.method("append", second["kind"], second["payload"])
    expect(mine.attribute("records")).equals(wanted.records, because="half a record would break the chain for good")


@e1.case("the file is one line a record, each ended by one newline")
def file_of_lines(student: Student, world: World) -> None:
    wanted, mine = world.transcript(2), student.Transcript.kept()
    expect(mine.method("to_bytes")).equals(b"", because="nothing has been recorded yet")
    wanted.append("note", f"{world.words()}\nüber zwei Zeilen")
    for record in wanted.records:
        mine.method("append", record["kind"], record["payload"])
    expect(mine.method("to_bytes")).equals(wanted.to_bytes())


@e1.case("the same run, recorded twice, is equal to the last byte")
def twice(student: Student, world: World) -> None:
    names = world.distinct_words(4)
    payload = {name: {"n": world.number(1, 99), "a": world.word()} for name in names}
    again = {name: dict(reversed(payload[name].items())) for name in reversed(names)}
    runs = []
    for given in (payload, again):
        mine = student.Transcript.kept()
        for kind in ("task", "tool"):
            mine.method("append", kind, given)
        runs.append(mine.method("to_bytes"))
    expect(runs[1]).equals(runs[0].plain, because="who compares two runs must not find what was no difference")


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch10-e2",
    "Trust no stored hash",
    provides=["verify_records"],
    hints=[
        "Which values of a record may you believe before you have computed anything?",
        "A record that is no dict has no fields, and one that lacks a field has none to compare. What must be asked "
        "before you may ask for the next thing?",
        "You carry one value from each record to the next. What is it worth when a record has none?",
    ],
)


@e2.case("an intact chain has no fault, and neither has an empty one")
def intact(student: Student, world: World) -> None:
    expect(student.verify_records(world.transcript(world.number(2, 6)).records)).equals([])
    expect(student.verify_records([])).equals([])


@e2.case("what was edited is a hash_mismatch, and no stored hash is believed", points=2)
def content_edited(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 5)).records
    for index in (world.number(0, len(records) - 2), len(records) - 1):
        faults = student.verify_records(edited(records, index, payload={"ok": False}))
        expect_fault(faults, index, "hash_mismatch", because=RECOMPUTE)
        faults = student.verify_records(edited(records, index, kind="other"))
        expect_fault(faults, index, "hash_mismatch", because="the hash is over the kind as well")
        faults = student.verify_records(edited(records, index, hash=records[index - 1]["hash"]))
        expect_fault(faults, index, "hash_mismatch", because="it is the hash of another record")


@e2.case("every record of a long run is judged, whatever its kind, and a hash counts to its last digit", points=2)
def each_record(student: Student, world: World) -> None:
    records = long_run(world)
    wrong_hashes = [{**record, "hash": nearly(record["hash"])[n % 6]} for n, record in enumerate(records)]
    others = [{**record, "payload": {"was": record["payload"]}} for record in records]
    relinked: list[Record] = []
    for n, record in enumerate(records):
        prev = nearly(relinked[-1]["hash"] if relinked else GENESIS)[n % 6]
        relinked.append(rehashed({**record, "prev": prev}))
    for chain, kind, because in (
        (wrong_hashes, "hash_mismatch", "what is nearly the hash is the hash of something else"),
        (others, "hash_mismatch", RECOMPUTE),
        (relinked, "prev_mismatch", "what is nearly the hash of the record before is not that hash"),
    ):
        held = student.hold(chain)
        faults = student.verify_records(held)
        for index in range(len(chain)):
            expect_fault(faults, index, kind, because=because, behind=index > 0)
        expect(held.copy()).equals(chain, because="a verifier that edits what it verifies proves nothing")


@e2.case("an edited record with a new hash is caught by the next record's prev", points=2)
def forged(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 6)).records
    index = world.number(0, len(records) - 2)
    faults = student.verify_records(edited(records, index, rehash=True, payload=world.words()))
    expect_fault(faults, index + 1, "prev_mismatch", because=LINKS)


@e2.case("the first record's prev is GENESIS")
def genesis(student: Student, world: World) -> None:
    for prev in (hash_of({"word": world.word()}), None, "", "0"):
        records = edited(world.transcript(1).records, 0, rehash=True, prev=prev)
        expect_fault(student.verify_records(records), 0, "prev_mismatch", because="else a chain could begin anywhere")


@e2.case("a record removed, doubled or moved is a seq_gap where the order breaks")
def order(student: Student, world: World) -> None:
    records = world.transcript(world.number(4, 6)).records
    k = world.number(0, len(records) - 2)
    before, here, there, after = records[:k], records[k], records[k + 1], records[k + 2 :]
    order_first = "the table asks for the order before the links"
    expect_fault(student.verify_records([*before, there, *after]), k, "seq_gap", because=order_first)
    expect_fault(student.verify_records([*before, here, here, there, *after]), k + 1, "seq_gap", because=order_first)
    expect_fault(student.verify_records([*before, there, here, *after]), k, "seq_gap", because=order_first)
    late: list[Record] = []
    for n, record in enumerate(records, 1):
        late.append(make_record(record["kind"], record["payload"], n, late[-1]["hash"] if late else GENESIS)[0])
    because = "`seq` counts from 0, wherever a forger begins"
    expect_fault(student.verify_records(late), 0, "seq_gap", because=because)


@e2.case("two records swapped and renumbered are a prev_mismatch")
def renumbered(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 6)).records
    k = world.number(0, len(records) - 2)
    moved = [rehashed({**records[k + 1], "seq": k}), rehashed({**records[k], "seq": k + 1})]
    faults = student.verify_records([*records[:k], *moved, *records[k + 2 :]])
    expect_fault(faults, k, "prev_mismatch", because="numbers can be written anew, and so can hashes; the links remain")


@e2.case("a seq is an integer: True, 1.0 and a text are none")
def kinds_of_seq(student: Student, world: World) -> None:
    records = world.transcript(3).records
    for index, seq in ((1, True), (1, 1.0), (1, "1"), (0, False), (0, -0.0)):
        faults = student.verify_records(edited(records, index, rehash=True, seq=seq))
        expect_fault(faults, index, "seq_gap", because="what equals it in Python is other bytes in the file")


@e2.case("what is no dict is not_an_object")
def no_object(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    index = world.number(0, len(records) - 1)
    for odd in ([], ["hash", "kind"], world.word(), None, 7):
        faults = student.verify_records([*records[:index], odd, *records[index + 1 :]])
        expect_fault(faults, index, "not_an_object")


@e2.case("a field too few, a field too many, or a kind that is no text, is missing_fields")
def fields(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    index = world.number(0, len(records) - 1)
    for field in FIELDS:
        less = {name: value for name, value in records[index].items() if name != field}
        for spoilt in (less, {**less, field.title(): records[index][field]}):
            faults = student.verify_records([*records[:index], spoilt, *records[index + 1 :]])
            expect_fault(faults, index, "missing_fields", because=f"it has no {field}")
    more = edited(records, index, rehash=True, note=world.word())
    expect_fault(student.verify_records(more), index, "missing_fields", because="it has a sixth field")
    untold = edited(records, index, rehash=True, kind=world.number(1, 9))
    expect_fault(student.verify_records(untold), index, "missing_fields", because="its kind is no text")


@e2.case("a payload without a canonical form is unserialisable_payload")
def unserialisable(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    index = world.number(0, len(records) - 1)
    for value in NOT_JSON:
        faults = student.verify_records(edited(records, index, payload={"n": value}))
        expect_fault(faults, index, "unserialisable_payload", because="there are no bytes that its hash could be over")


@e2.case("faults come in the order of the records, and a second one is not lost behind the first")
def order_of_faults(student: Student, world: World) -> None:
    records = world.transcript(7).records
    first, second = world.number(0, 2), world.number(4, 6)
    twice = edited(edited(records, first, payload="changed"), second, payload="changed too")
    faults = student.verify_records(twice)
    expect_fault(faults, first, "hash_mismatch")
    expect_fault(faults, second, "hash_mismatch", because="a second edit further on is a fault too", behind=True)
    faults = student.verify_records([*twice[:first], None, *twice[first + 1 :]])
    expect_fault(faults, first, "not_an_object")
    expect(sorted(faults.each("index").plain)).equals(
        faults.each("index").plain, because="the first affected record comes first"
    )
    because = "a record that cannot be read hides none of those behind it"
    expect_fault(faults, second, "hash_mismatch", because=because, behind=True)
    records = long_run(world)
    for index, spoilt, kind in (
        (1, {"kind": "turn"}, "missing_fields"),
        (3, {**records[3], "payload": {"n": NOT_JSON[1]}}, "unserialisable_payload"),
        (5, rehashed({**records[5], "seq": world.number(50, 99)}), "seq_gap"),
        (7, world.word(), "not_an_object"),
        (9, {**records[9], "kind": "turn of another"}, "hash_mismatch"),
        (11, {**records[11], "payload": "changed"}, "hash_mismatch"),
    ):
        records[index] = spoilt  # type: ignore[assignment]
        faults = student.verify_records(records)
        expect_fault(faults, index, kind, because="every further edit must be named", behind=index > 1)


@e2.case("it never raises, whatever stands in a field")
def never_raises(student: Student, world: World) -> None:
    odd_values: list[Any] = [None, [], {}, world.number(100, 999), True, "", float("nan")]
    records = world.transcript(len(odd_values)).records
    for field in FIELDS:
        spoilt = [{**record, field: odd} for record, odd in zip(records, odd_values, strict=True)]
        wanted = {fault.index: fault.kind for fault in reversed(verify_records(spoilt))}
        faults = student.verify_records(spoilt)
        for index, kind in sorted(wanted.items()):
            expect_fault(faults, index, kind, because=f"its {field} is another one", behind=True)
    no_text_for_a_name: dict[Any, Any] = {7: "seven", **dict.fromkeys(FIELDS[1:])}
    for odd in (no_text_for_a_name, {"payload": records}, (), float("inf")):
        missing = "missing_fields" if isinstance(odd, dict) else "not_an_object"
        expect_fault(student.verify_records([*records, odd]), len(records), missing)


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch10-e3",
    "From records to a file",
    provides=["verify_file"],
    hints=[
        "What does `open(path)` do to the bytes of a file before you see them?",
        "A line that cannot be read still has a place. What can stand for it in the list that you verify, so that the "
        "lines behind it keep their numbers?",
        "You can parse a line and write it again. When are the two not the same, although the values are?",
    ],
)


@e3.case("an intact file has no fault, its count and its head")
def intact_file(student: Student, world: World) -> None:
    transcript = world.transcript(world.number(2, 6))
    report = student.verify_file(student.file("run.jsonl", transcript.to_bytes()))
    expect(report).equals({"count": len(transcript.records), "head": transcript.anchor().head, "faults": []})
    report = student.verify_file(student.file("empty.jsonl", b""))
    expect(report).equals({"count": 0, "head": GENESIS, "faults": []}, because="an empty file holds no record")


@e3.case("a long file is read to its end")
def long_file(student: Student, world: World) -> None:
    made = Transcript()
    for page in range(60):
        made.append("tool", {"page": page, "text": "漢字 " * 200})
    lines = made.to_bytes().splitlines(keepends=True)
    lines[59] = lines[59].replace(b'"page":59', b'"page":95')
    report = student.verify_file(student.file("long.jsonl", b"".join(lines)))
    expect(report["count"]).equals(60)
    expect_fault(report["faults"], 59, "hash_mismatch", because="an edit may stand in the last line of a large file")
    because = "`head` is what stands there, right or wrong: whoever compares it with an anchor wants to know that"
    expect(report["head"]).equals(made.records[59]["hash"], because=because)


@e3.case("the file is UTF-8, and a line ends at a newline and nowhere else")
def file_in_utf8(student: Student, world: World) -> None:
    transcript = world.transcript(1)
    transcript.append("note", f"{world.word()} é 漢 \u2028 \x85 \x0b")
    transcript.append("stop", world.words())
    report = student.verify_file(student.file("run.jsonl", transcript.to_bytes()))
    expect(report).equals({"count": 3, "head": transcript.anchor().head, "faults": []})


@e3.case("a file that is not there is unreadable, and nothing is raised")
def unreadable(student: Student, world: World) -> None:
    gone = student.file(f"{world.word()}.jsonl", None)
    below_a_file = student.file("a_file", b"").kept_method("__add__", "/run.jsonl").shown_as("<a path below a file>")
    folder = student.file("x.jsonl", b"").kept_method("removesuffix", "x.jsonl").shown_as("<a folder>")
    for path in (gone, below_a_file, folder):
        report = student.verify_file(path)
        expect(report["count"]).equals(0)
        expect(report["head"]).equals(GENESIS)
        expect(report["faults"].each("kind")).equals(["unreadable"])
        expect(report["faults"].each("index")).equals([0])


@e3.case("a line that is no JSON is bad_json, and its number counts from 1", points=2)
def bad_json(student: Student, world: World) -> None:
    transcript = world.transcript(8)
    lines = transcript.to_bytes().splitlines(keepends=True)
    index = world.number(1, 6)
    lines[index] = lines[index][: world.number(5, 60)] + b"\n"
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], index, "bad_json")
    expect(report["faults"][0]["detail"]).contains(f"line {index + 1}", because="an editor counts lines from 1")
    expect(report["faults"][0]["detail"]).lacks(f"line {index + 2}", because="it is no fault of the next line")
    expect(report["count"]).equals(7, because="seven lines hold JSON")
    expect(report["head"]).equals(transcript.records[7]["hash"], because="the last line can be read")


@e3.case("so are an empty line and a line that is no UTF-8")
def not_even_text(student: Student, world: World) -> None:
    lines = world.transcript(4).to_bytes().splitlines(keepends=True)
    index = world.number(1, 3)
    report = student.verify_file(student.file("run.jsonl", b"".join([*lines[:index], b"\n", *lines[index:]])))
    expect_fault(report["faults"], index, "bad_json", because="nothing is no JSON value")
    lines[index] = lines[index].replace(b'"topic":"', b'"topic":"\xff')
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], index, "bad_json", because="\\xff occurs in no UTF-8 text")


@e3.case("so is a line with more in it than one JSON value")
def more_than_json(student: Student, world: World) -> None:
    lines = world.transcript(3).to_bytes().splitlines(keepends=True)
    whole, word = lines[1][:-1], world.word().encode()
    for line, because in (
        (whole + b" " + word, "behind the record stands something that is no JSON"),
        (whole + whole, "two records on a line are no JSON value"),
        (whole.replace(b'"topic":"', b'"topic":"\t'), "JSON wants a tab inside a text to be escaped"),
    ):
        report = student.verify_file(student.file("run.jsonl", b"".join([lines[0], line + b"\n", lines[2]])))
        expect_fault(report["faults"], 1, "bad_json", because=because)
        expect(report["count"]).equals(2)


@e3.case("a torn last line is found, wherever it was torn")
def torn(student: Student, world: World) -> None:
    transcript = world.transcript(3)
    *whole, last = transcript.to_bytes().splitlines(keepends=True)
    for kept in (1, 2, 20, world.number(21, len(last) - 2)):
        report = student.verify_file(student.file("run.jsonl", b"".join([*whole, last[:kept]])))
        expect_fault(report["faults"], 2, "bad_json", because="half a record was written, and half of it is missing")
        expect(report["count"]).equals(2)
        because = "the record before is the last one that can be read"
        expect(report["head"]).equals(transcript.records[1]["hash"], because=because)
    for lines in ([*whole, last], whole[:1]):
        report = student.verify_file(student.file("run.jsonl", b"".join(lines)[:-1]))
        because = "the next one to append would write on the same line"
        expect_fault(report["faults"], len(lines) - 1, "not_canonical", because=because)
        expect(report["count"]).equals(len(lines))


@e3.case("the file stays as it is, and its second reading gives the same report")
def not_edited(student: Student, world: World) -> None:
    lines = world.transcript(5).to_bytes().splitlines(keepends=True)
    for data in (
        b"".join(lines)[:-1],
        b"".join([lines[0], b"{\n", *lines[2:]]),
        b"".join([*lines[:2], lines[2].replace(b'":', b'": '), *lines[3:], lines[0][: world.number(2, 40)]]),
    ):
        path = student.file("run.jsonl", data)
        readings = []
        for _ in range(2):
            report = student.verify_file(path)
            readings.append([report["count"].plain, report["head"].plain, named(report["faults"]).plain])
        expect(Seen(readings[1], "[count, head, faults] of the second reading")).equals(
            readings[0], because="a verifier that mends the file destroys what it was asked about"
        )


@e3.case("the right values in another spelling are not_canonical")
def another_spelling(student: Student, world: World) -> None:
    made = Transcript()
    for _ in range(6):
        made.append("note", f"{world.word()} é")
    lines, records = made.to_bytes().splitlines(keepends=True), made.records
    lines[0] = json.dumps(records[0], sort_keys=True, ensure_ascii=False).encode() + b"\n"
    lines[1] = json.dumps(records[1], sort_keys=True, separators=(",", ":")).encode() + b"\n"
    lines[2] = lines[2].replace(b'"kind"', b'"\\u006bind"')
    backwards = dict(reversed(records[3].items()))
    lines[3] = json.dumps(backwards, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    lines[4] = lines[4].replace(b',"kind"', b',\r"kind"')
    lines[5] = lines[5][:-1] + b"\r\n"
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    for index, what in enumerate(("spaces", "é escaped", "a letter escaped", "keys in another order", "\\r", "\\r\\n")):
        because = f"two spellings of one record are two files (here: {what})"
        expect_fault(report["faults"], index, "not_canonical", because=because, behind=index > 0)
    expect(report["count"]).equals(6, because="each line holds JSON, and a line ends at a newline and nowhere else")


@e3.case("a key that stands there twice is not_canonical")
def key_twice(student: Student, world: World) -> None:
    lines = world.transcript(4).to_bytes().splitlines(keepends=True)
    index = world.number(0, 3)
    lines[index] = b'{"payload":{"ok":false},' + lines[index][1:]
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(
        report["faults"], index, "not_canonical", because="one reader takes the first value, another one the last"
    )


@e3.case("the faults of verify_records are found at their line, behind a bad line as well", points=2)
def behind_a_bad_line(student: Student, world: World) -> None:
    lines = world.transcript(7).to_bytes().splitlines(keepends=True)
    bad, changed = world.number(0, 2), world.number(4, 6)
    lines[changed] = lines[changed].replace(b'"ok":true', b'"ok":false')
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], changed, "hash_mismatch", because=RECOMPUTE)
    expect(report["count"]).equals(7)
    lines[bad] = b"{\n"
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], bad, "bad_json")
    because = "who stops at the first bad line loses the rest of the story"
    expect_fault(report["faults"], changed, "hash_mismatch", because=because, behind=True)
    expect(report["count"]).equals(6)
    lines = world.transcript(9).to_bytes().splitlines(keepends=True)
    lines[1] = b"\n"
    lines[3], spaced = lines[3].replace(b'"ok":true', b'"ok": false'), lines[5].replace(b'"ok":', b'"ok": ')
    lines[5], lines[7] = spaced, lines[7].replace(b'"ok":true', b'"ok":false')
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], 1, "bad_json")
    for line, kind in ((3, "hash_mismatch"), (5, "not_canonical"), (7, "hash_mismatch")):
        expect_fault(report["faults"], line, kind, because="every line is asked everything", behind=True)
    places = report["faults"].each("index").plain
    expect(sorted(places)).equals(places, because="the faults come in the order of the lines")


@e3.case("it never raises, whatever a line holds")
def any_line(student: Student, world: World) -> None:
    lines = world.transcript(12).to_bytes().splitlines(keepends=True)
    lines[1], lines[2], lines[3], lines[5], lines[7] = b"[]\n", b"7\n", b"null\n", b"{}\n", b'{"hash":[]}\n'
    lines[9], lines[11] = b"9" * 5000 + b"\n", b"[" * 100_000 + b"\n"
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    for index, kind in ((1, "not_an_object"), (2, "not_an_object"), (3, "not_an_object"), (5, "missing_fields"),
                        (7, "missing_fields"), (11, "bad_json")):  # fmt: skip
        expect_fault(report["faults"], index, kind, behind=index > 1)
    because = "what Python refuses to read is a fault of its line"
    expect(9 in report["faults"].each("index").plain).is_true(because=because)
    expect(report["count"]).one_of([10, 11], because="`null`, 7 and [] are JSON")
    lines = world.transcript(3).to_bytes().splitlines(keepends=True)
    index = world.number(0, 2)
    lines[index] = lines[index].replace(b'"ok":true', b'"ok":NaN')
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect(report["faults"][0]["index"]).equals(index)
    expect(report["faults"][0]["kind"]).one_of(["bad_json", "unserialisable_payload"], because="NaN is no JSON")
    for odd, kind in ((b"[]\n", "not_an_object"), (b"{}\n", "missing_fields")):
        report = student.verify_file(student.file("run.jsonl", odd))
        expect_fault(report["faults"], 0, kind)
        expect(report["count"]).equals(1)


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch10-e4",
    "What the chain does not prove",
    provides=["reforge", "verify_anchored"],
    hints=[
        "Which of its checks would a verifier need, to miss a record that nobody points to?",
        "After one record has a new hash, what in the next one is wrong? And once that is put right?",
        "The anchor names one record, by its number. Which place in the list is that, and what if the number is 0?",
    ],
)


def forged_from(records: list[Record], index: int, payload: object) -> list[Record]:
    """The chain in which record `index` holds `payload` and every later one is made to fit."""
    forged = records[:index]
    for record in records[index:]:
        prev = forged[-1]["hash"] if forged else GENESIS
        said = payload if record is records[index] else record["payload"]
        forged.append(make_record(record["kind"], said, len(forged), prev)[0])
    return forged


@e4.case("a last record that was rewritten verifies")
def last_forged(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 5)).records
    last, payload = len(records) - 1, {"reason": world.word()}
    mine = student.reforge(records, last, payload)
    expect(mine.each("payload")).equals([*(r["payload"] for r in records[:-1]), payload])
    expect(mine).equals(forged_from(records, last, payload), because="nothing comes after it that could contradict")


@e4.case("so does a chain that was forged from the middle on", points=2)
def middle_forged(student: Student, world: World) -> None:
    records = world.transcript(world.number(4, 6)).records
    index, payload = world.number(0, len(records) - 2), world.words()
    mine = student.reforge(records, index, payload)
    expect(mine.each("payload")).equals([payload if n == index else r["payload"] for n, r in enumerate(records)])
    expect(mine).equals(forged_from(records, index, payload), because="each link was made to fit the one before")


@e4.case("any payload can be forged in, and whatever stands behind it is linked anew")
def any_payload(student: Student, world: World) -> None:
    records = long_run(world)
    for payload in (None, {}, False, "", {"é": "漢", "nothing": None}):
        index = world.number(0, len(records) - 2)
        mine = student.reforge(records, index, payload)
        expect(mine).equals(forged_from(records, index, payload), because="a forger writes what they like")


@e4.case("the records that were given stay as they were")
def original_kept(student: Student, world: World) -> None:
    records = world.transcript(4).records
    held = student.hold(records)
    student.reforge(held, 1, world.words())
    expect(held.copy()).equals(records, because="who compares the two needs both")


@e4.case("without an anchor, a cut or forged chain passes")
def passes(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 6)).records
    cut, last = records[: world.number(0, len(records) - 1)], len(records) - 1
    for chain in (records, cut, forged_from(records, last, {"reason": world.word()}), forged_from(records, 0, "x")):
        expect(student.verify_anchored(chain, None)).equals([], because=NO_ENDING)


@e4.case("records that are missing from the end are caught with the anchor", points=2)
def cut_caught(student: Student, world: World) -> None:
    transcript = world.transcript(world.number(3, 6))
    anchor = {"count": len(transcript.records), "head": transcript.anchor().head}
    expect(student.verify_anchored(transcript.records, anchor)).equals([], because="nothing is missing here")
    for left in (len(transcript.records) - 1, world.number(0, len(transcript.records) - 1), 0):
        faults = student.verify_anchored(transcript.records[:left], anchor)
        expect_fault(faults, left, "records_missing", because=OUTSIDE)


@e4.case("so is a re-forged record, although the count is right", points=2)
def forged_caught(student: Student, world: World) -> None:
    transcript = world.transcript(world.number(3, 6))
    last = len(transcript.records) - 1
    anchor = {"count": last + 1, "head": transcript.anchor().head}
    for index in (last, world.number(0, last)):
        forged = forged_from(transcript.records, index, {"reason": world.word()})
        expect_fault(student.verify_anchored(forged, anchor), last, "head_mismatch", because=OUTSIDE)
    forged = [json.loads(line) for line in reforged(transcript.to_bytes().splitlines(keepends=True), last)]
    expect_fault(student.verify_anchored(forged, anchor), last, "head_mismatch", because=OUTSIDE)


@e4.case("records after the anchored one are beyond_anchor, and the anchored one is still compared")
def beyond(student: Student, world: World) -> None:
    records = world.transcript(world.number(4, 6)).records
    count = world.number(1, len(records) - 1)
    anchor = {"count": count, "head": records[count - 1]["hash"]}
    faults = student.verify_anchored(records, anchor)
    expect_fault(faults, count, "beyond_anchor", because="nothing outside the chain vouches for them")
    expect(faults).has_length(1, because="the anchored record itself is the right one")
    faults = student.verify_anchored(forged_from(records, world.number(0, count - 1), world.words()), anchor)
    expect_fault(faults, count - 1, "head_mismatch", because="the anchor is compared with the record that it names")


@e4.case("an anchor of no records fits no records")
def empty_anchor(student: Student, world: World) -> None:
    anchor = {"count": 0, "head": GENESIS}
    expect(student.verify_anchored([], anchor)).equals([])
    faults = student.verify_anchored(world.transcript(world.number(1, 3)).records, anchor)
    expect_fault(faults, 0, "beyond_anchor", because="there was nothing yet when the anchor was kept")


def with_anchor(student: Student, chain: list[Any], anchor: Any, *shown: tuple[int, str], because: str) -> Seen:
    """The faults with an anchor are those without, and then `shown`; and what was handed over stays as it was."""
    held = student.hold(chain), student.hold(anchor)
    alone = named(student.verify_anchored(held[0], None)).plain
    faults = student.verify_anchored(*held)
    expect(named(faults)).equals([*alone, *shown], because=because)
    expect(held[0].copy()).equals(chain, because="a verifier that edits what it verifies proves nothing")
    expect(held[1].copy()).equals(anchor, because="an anchor that is made to fit always fits")
    return faults


@e4.case("an anchor that fits excuses no fault of the chain", points=2)
def fits_and_broken(student: Student, world: World) -> None:
    records, because = world.transcript(6).records, "an anchor replaces no verifier"
    anchor = {"count": 6, "head": records[5]["hash"]}
    k = world.number(1, 3)
    for chain, index, kind in (
        (edited(records, k, payload="changed"), k, "hash_mismatch"),
        (edited(records, 5, payload="changed"), 5, "hash_mismatch"),
        (edited(records, k, rehash=True, payload="changed"), k + 1, "prev_mismatch"),
        ([*records[:k], [], *records[k + 1 :]], k, "not_an_object"),
    ):
        expect_fault(with_anchor(student, chain, anchor, because=because), index, kind, because=because)


@e4.case("what the chain shows comes before what the anchor shows")
def chain_first(student: Student, world: World) -> None:
    records = world.transcript(7).records
    anchor, k = {"count": 7, "head": records[6]["hash"]}, world.number(1, 4)
    both = "an anchor replaces no verifier: what it shows stands behind all that the chain shows"
    cut = edited(records[:6], k, payload="changed")
    faults = with_anchor(student, cut, anchor, (6, "records_missing"), because=both)
    expect_fault(faults, k, "hash_mismatch", because="an anchor replaces no verifier")
    removed = [*records[:k], *records[k + 1 :]]
    faults = with_anchor(student, removed, anchor, (6, "records_missing"), because=both)
    expect_fault(faults, k, "seq_gap", because="the records are counted, whatever their seq says")
    anchor = {"count": 6, "head": records[5]["hash"]}
    unlinked = edited(records, 6, rehash=True, prev=records[4]["hash"])
    faults = with_anchor(student, unlinked, anchor, (6, "beyond_anchor"), because=both)
    expect_fault(faults, 6, "prev_mismatch")
    because = "the anchor speaks of one record, and of its whole hash"
    for head in (nearly(records[1]["hash"])[0], records[4]["hash"]):
        anchor, seen = {"count": 2, "head": head}, [(1, "head_mismatch"), (2, "beyond_anchor")]
        with_anchor(student, edited(records, 5, payload="changed"), anchor, *seen, because=because)


@e4.case("it never raises: where no hash stands, the head does not fit")
def no_hash_there(student: Student, world: World) -> None:
    records = world.transcript(4).records
    anchor = {"count": 4, "head": records[3]["hash"]}
    odd_records: list[Any] = [[], None, {"kind": "stop"}, world.word()]
    for odd in odd_records:
        shown, because = (3, "head_mismatch"), "the record that the anchor names is not there"
        with_anchor(student, [*records[:3], odd], anchor, shown, because=because)


# ---------------------------------------------------------------------------------------------------------------- e5
e5 = session.exercise(
    "ch10-e5",
    "A gate that can fail",
    provides=["tampering", "gate"],
    hints=[
        "Suppose the verifier accepts everything. What in your code would notice, and where does it get its own "
        "opinion from?",
        "You know where the chain breaks, since you broke it. Write down the place together with the broken copy.",
        "A leg that raised has graded nothing: it neither passed nor found a fault. What is left to say of it, and of "
        "a gate without legs?",
    ],
)


def found(records: Any) -> list[dict[str, Any]]:
    """What an honest verifier finds, as the session writes its faults."""
    return [{"index": fault.index, "kind": fault.kind, "detail": fault.detail} for fault in verify_records(records)]


def tampered_with(
    student: Student, records: list[Record], verify: CountedTool, because: str, passed: bool = False
) -> None:
    """`verify` is wrong about every copy, and there is a sentence for each. passed: it found nothing in any of them."""
    said = student.tampering(records, verify)
    expect(said).has_some("sentence", because=because)
    count = len(records)
    each = f"a sentence for each time that it was wrong: {count} edits, and {count - 1} of each other kind"
    expect(said).has_length(4 * count - 3, because=each)
    for one in said:
        if passed:
            expect(one).contains(PASSED, because=because)
        else:
            expect(one).is_text()
            expect(one).lacks(PASSED, because="it is said only where the verifier found nothing")


@e5.case("an honest verifier is accused of nothing", points=2)
def honest(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    verify, held = world.tool(found), student.hold(records)
    expect(student.tampering(held, verify)).equals([], because="what the chain cannot show is not asked of it")
    expect(records in world.ledger.given(verify).plain).is_true(because="the untouched records are handed over as well")
    expect(held.copy()).equals(records, because="who compares the two needs both")


def differs_in(one: Any, records: list[Record], k: int, *fields: str) -> bool:
    """Whether `one` is `records` but for these `fields` of record `k`, and for them it is another."""
    if not isinstance(one, list) or len(one) != len(records) or not isinstance(one[k], dict):
        return False
    rest = one[:k] == records[:k] and one[k + 1 :] == records[k + 1 :] and one[k].keys() == records[k].keys()
    return rest and {field for field in FIELDS if one[k][field] != records[k][field]} == set(fields)


@e5.case("every record is edited, edited with a new hash, removed, and swapped with the next", points=2)
def copies(student: Student, world: World) -> None:
    made = Transcript()
    for page in range(8):
        made.append("tool", {"page": page} if page % 3 else {})
    records, verify = made.records, world.tool(lambda given: [])
    student.tampering(records, verify)
    given = world.ledger.given(verify).plain
    for k in range(len(records)):
        next_one = records[k + 1 : k + 2]
        done = {
            "payload was edited and its hash left": any(differs_in(one, records, k, "payload") for one in given),
            "payload was edited and its hash computed anew": not next_one
            or any(differs_in(one, records, k, "hash", "payload") and one[k] == rehashed(one[k]) for one in given),
            "place is taken by the next one": not next_one or [*records[:k], *records[k + 1 :]] in given,
            "place was swapped with the next one": not next_one
            or [*records[:k], *next_one, records[k], *records[k + 2 :]] in given,
        }
        for what, was_given in done.items():
            if not was_given:
                because = "a verifier may be blind at one record, and to one kind of tampering"
                raise Failure(f"a copy in which record {k}'s {what}", "none for the verifier", because)


@e5.case("a verifier that edits what it is given spoils neither the records nor another copy")
def edits_its_copy(student: Student, world: World) -> None:
    records = world.transcript(3).records

    def edits(given: Any) -> list[dict[str, Any]]:
        faults = found(given)
        for record in given:
            getattr(record["payload"], "clear", list)()
            record["seq"] = -1
        given.append("edited")
        return faults

    held = student.hold(records)
    said = student.tampering(held, world.tool(edits, edits_arguments=True))
    expect(held.copy()).equals(records, because="the records were handed over themselves, and not a copy of them")
    expect(said).equals([], because="its faults were right: every copy is its own at every level")


@e5.case("a verifier that accepts everything is said to have let a mutated transcript pass", points=2)
def accepts_everything(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    for name in (None, "verify_records"):
        because = "a gate that cannot fail looks like one that passes"
        tampered_with(student, records, world.tool(lambda given: [], name=name), because, passed=True)


@e5.case("one that trusts stored hashes is caught, and so is one that does not look at the links")
def half_blind(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    for unseen in ("hash_mismatch", "prev_mismatch"):
        verify = world.tool(lambda given, unseen=unseen: [one for one in found(given) if one["kind"] != unseen])
        said = student.tampering(records, verify)
        expect("\n".join(str(one.plain) for one in said)).contains(PASSED, because=f"it misses {unseen}")


@e5.case("to be blind at one record is enough to be caught")
def blind_at_one(student: Student, world: World) -> None:
    records = world.transcript(3).records
    for unseen in ((world.number(0, 1), "hash_mismatch"), (2, "hash_mismatch"), (world.number(1, 2), "prev_mismatch")):
        verify = world.tool(
            lambda given, unseen=unseen: [one for one in found(given) if (one["index"], one["kind"]) != unseen]
        )
        said = student.tampering(records, verify)
        expect(said).has_some("sentence", because=f"it never sees a {unseen[1]} at record {unseen[0]}")


@e5.case("one that misses a removed record is caught, and one that misses two that were swapped")
def misses_the_order(student: Student, world: World) -> None:
    records = world.transcript(3).records

    def lets_gaps(given: Any) -> list[dict[str, Any]]:
        places = [record["seq"] for record in given]
        gaps = places == sorted(set(places)) and places != list(range(len(places)))
        return [] if gaps else found(given)

    def sorts_first(given: Any) -> list[dict[str, Any]]:
        return found(sorted(given, key=lambda record: int(record["seq"])))

    for verify, what in ((lets_gaps, "a record is missing"), (sorts_first, "two records are swapped")):
        said = student.tampering(records, world.tool(verify))
        expect(said).has_some("sentence", because=f"it does not see that {what}")


@e5.case("one that names the wrong record is caught")
def wrong_place(student: Student, world: World) -> None:
    records = world.transcript(2).records
    for off, true_ones_behind in ((-1, False), (1, False), (-1, True), (1, True)):

        def moved(given: Any, off: int = off, behind: bool = true_ones_behind) -> list[dict[str, Any]]:
            true_ones = found(given)
            return [{**one, "index": one["index"] + off} for one in true_ones] + true_ones * behind

        because = "who is sent to the wrong record at 3 am finds nothing there"
        tampered_with(student, records, world.tool(moved), because)


@e5.case("one that finds fault with the untouched records is caught")
def accuses(student: Student, world: World) -> None:
    records = world.transcript(3).records
    verify = world.tool(lambda given: found(given) or [{"index": 0, "kind": "hash_mismatch", "detail": ""}])
    said = student.tampering(records, verify)
    because = "a verifier that refuses everything refuses every forgery as well"
    expect(said).has_length(1, because=because)
    expect(said[0]).lacks(PASSED, because="the untouched records are no mutated transcript")
    expect(world.ledger.calls(verify).plain > len(records)).is_true(because="behind it the copies are tried")


@e5.case("one that raises is caught, and the rest is still tried")
def raises(student: Student, world: World) -> None:
    def falls_over(given: Any) -> list[dict[str, Any]]:
        if found(given):
            raise Misprint(world.words())
        return []

    tampered_with(student, world.transcript(3).records, world.tool(falls_over), "a verifier never raises")


@e5.case("KeyboardInterrupt and SystemExit leave `tampering` and `gate`")
def leaves(student: Student, world: World) -> None:
    records, say = world.transcript(2).records, world.tool(lambda *line: None, name="say")
    for kind in (KeyboardInterrupt, SystemExit):
        with expect_raises(kind, because="it is no `Exception`: somebody wants the program to end"):
            student.tampering(records, world.tool(after=0, error=kind()))
        leg = world.tool(after=0, error=kind())
        with expect_raises(kind, because="it is no `Exception`: somebody wants the program to end"):
            student.gate({leg.name: leg}, say)


@e5.case("exit 0: there are legs, all ran, and none found a fault")
def all_passed(student: Student, world: World) -> None:
    legs = [world.tool(list) for _ in range(world.number(1, 3))]
    held = student.hold({leg.name: leg for leg in legs})
    code = student.gate(held, world.tool(lambda *line: None, name="say"))
    expect(code).equals(0)
    for leg in legs:
        expect(world.ledger.arguments(leg)).equals([{}], because="each leg is called once, without arguments")
    expect(list(held.copy().plain)).equals([leg.name for leg in legs], because="a gate runs its legs and keeps them")


@e5.case("exit 1: a leg found a fault, and the legs behind it run as well")
def fault_found(student: Student, world: World) -> None:
    say = world.tool(lambda *line: None, name="say")
    for faults in ([world.words()], [""], [world.words(), world.words()]):
        finds, passes = world.tool(lambda faults=faults: faults), world.tool(list)
        expect(student.gate({finds.name: finds, passes.name: passes}, say)).equals(1)
        expect(world.ledger.calls(passes)).equals(1, because="one fault is no reason not to look for the next")


@e5.case("exit 2: a leg could not grade, and that is neither a pass nor a fault", points=2)
def could_not_grade(student: Student, world: World) -> None:
    say = world.tool(lambda *line: None, name="say")
    for kind in (Misprint, world.rng.choice([OSError, ValueError, KeyError, ZeroDivisionError])):
        breaks, passes = world.tool(after=0, error=kind(world.words())), world.tool(list)
        for legs in ((breaks,), (breaks, passes), (passes, breaks)):
            code = student.gate({leg.name: leg for leg in legs}, say)
            expect(code).equals(2, because="a leg that raised has graded nothing")
        expect(world.ledger.calls(passes)).equals(2, because="the legs behind it run as well")


@e5.case("exit 2: a leg that returned no list has graded nothing")
def no_list(student: Student, world: World) -> None:
    say, passes = world.tool(lambda *line: None, name="say"), world.tool(list)
    for odd in (None, True):
        forgets = world.tool(lambda odd=odd: odd)
        code = student.gate({forgets.name: forgets, passes.name: passes}, say)
        expect(code).equals(2, because="a leg whose `return` was forgotten would pass for ever")


@e5.case("exit 2: a gate without legs has graded nothing")
def no_legs(student: Student, world: World) -> None:
    code = student.gate({}, world.tool(lambda *line: None, name="say"))
    expect(code).equals(2, because="nothing ran, which is not the same as: everything passed")


@e5.case("a fault weighs more than a leg that could not grade")
def both(student: Student, world: World) -> None:
    say = world.tool(lambda *line: None, name="say")
    finds, breaks = world.tool(lambda: [world.words()]), world.tool(after=0, error=OSError(world.words()))
    legs = finds, breaks, world.tool(list)
    for number, order in enumerate(permutations(legs), 1):
        expect(student.gate({leg.name: leg for leg in order}, say)).equals(1, because="the fault is certain")
        for leg in legs:
            expect(world.ledger.calls(leg)).equals(number, because="every leg runs once, whatever the others did")


@e5.case("`say` is told of every leg by its name, and every fault")
def told(student: Student, world: World) -> None:
    faults = [f"{world.words(12)} é 漢" for _ in range(5)]
    finds, passes = world.tool(lambda: faults), world.tool(list)
    breaks = world.tool(after=0, error=OSError(world.words()))
    say = world.tool(lambda *line: None, name="say")
    student.gate({leg.name: leg for leg in (finds, passes, breaks)}, say)
    lines = [" ".join(map(str, args.get("*", args.values()))) for args in world.ledger.arguments(say).plain]
    expect("\n".join(lines)).contains(
        finds.name, *faults, passes.name, breaks.name, because="an exit code alone does not say where to look"
    )
