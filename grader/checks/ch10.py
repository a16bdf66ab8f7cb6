"""Session 10, a transcript that shows tampering: the chain of `spec/agentloop.md`, what it does not prove, the gate."""

import json
from copy import deepcopy
from typing import Any

from course.gate import reforged
from course.transcript import GENESIS, Record, canonical_bytes, hash_of, make_record, verify_records
from grader.engine.exercise import Session
from grader.engine.expect import expect, expect_fault, expect_raises
from grader.engine.student import Student
from grader.engine.world import World

session = Session("ch10", "A transcript that shows tampering", builds=("course.transcript", "course.gate"))

FIELDS = ("hash", "kind", "payload", "prev", "seq")
ONE_SPELLING = "a hash is over bytes, so a value may be spelled in one way only"
RECOMPUTE = "a hash that is read and not computed says what the last one to edit the file wanted"
LINKS = "whoever recomputes a hash still has the next record against them"
NO_ENDING = "the chain alone cannot show this, and a verifier must not pretend that it can"
OUTSIDE = "only what was kept elsewhere knows how many there were, and which was the last"
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
    payload = {"topic": world.words(), "pages": [1, world.number(2, 99)]}
    held, mine = student.hold(payload), student.Transcript.kept()
    mine.method("append", "tool", held)
    held.method("update", {"topic": "changed", "added": 1})
    held.item("pages").method("append", 99)
    wanted, line = make_record("tool", payload, 0, GENESIS)
    expect(mine.attribute("records")).equals([wanted], because="a record says what was the case then")
    expect(mine.method("to_bytes")).equals(line)


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


@e2.case("an edited record with a new hash is caught by the next record's prev", points=2)
def forged(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 6)).records
    index = world.number(0, len(records) - 2)
    faults = student.verify_records(edited(records, index, rehash=True, payload=world.words()))
    expect_fault(faults, index + 1, "prev_mismatch", because=LINKS)


@e2.case("the first record's prev is GENESIS")
def genesis(student: Student, world: World) -> None:
    records = edited(world.transcript(1).records, 0, rehash=True, prev=hash_of({"word": world.word()}))
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
    for seq in (True, 1.0, "1"):
        faults = student.verify_records(edited(records, 1, rehash=True, seq=seq))
        expect_fault(faults, 1, "seq_gap", because="what equals 1 in Python is other bytes in the file")


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
        faults = student.verify_records([*records[:index], less, *records[index + 1 :]])
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


@e2.case("it never raises, whatever stands in a field")
def never_raises(student: Student, world: World) -> None:
    records = world.transcript(4).records
    odd_values: list[Any] = [None, [], {}, world.number(100, 999), True, "", float("nan")]
    for field in FIELDS:
        for odd in odd_values:
            spoilt = edited(records, world.number(0, 3), False, **{field: odd})
            wanted = verify_records(spoilt)[0]
            expect_fault(student.verify_records(spoilt), wanted.index, wanted.kind)


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


@e3.case("the file is UTF-8, and a line ends at a newline and nowhere else")
def file_in_utf8(student: Student, world: World) -> None:
    transcript = world.transcript(1)
    transcript.append("note", f"{world.word()} é 漢 \u2028 \x85 \x0b")
    transcript.append("stop", world.words())
    report = student.verify_file(student.file("run.jsonl", transcript.to_bytes()))
    expect(report).equals({"count": 3, "head": transcript.anchor().head, "faults": []})


@e3.case("a file that is not there is unreadable, and nothing is raised")
def unreadable(student: Student, world: World) -> None:
    report = student.verify_file(student.file(f"{world.word()}.jsonl", None))
    expect(report["count"]).equals(0)
    expect(report["head"]).equals(GENESIS)
    expect(report["faults"].each("kind")).equals(["unreadable"])
    expect(report["faults"].each("index")).equals([0])


@e3.case("a line that is no JSON is bad_json, and its number counts from 1", points=2)
def bad_json(student: Student, world: World) -> None:
    lines = world.transcript(8).to_bytes().splitlines(keepends=True)
    index = world.number(1, 6)
    lines[index] = lines[index][: world.number(5, 60)] + b"\n"
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], index, "bad_json")
    expect(report["faults"][0]["detail"]).contains(f"line {index + 1}", because="an editor counts lines from 1")
    expect(report["count"]).equals(7, because="seven lines hold JSON")


@e3.case("so are an empty line and a line that is no UTF-8")
def not_even_text(student: Student, world: World) -> None:
    lines = world.transcript(4).to_bytes().splitlines(keepends=True)
    index = world.number(1, 3)
    report = student.verify_file(student.file("run.jsonl", b"".join([*lines[:index], b"\n", *lines[index:]])))
    expect_fault(report["faults"], index, "bad_json", because="nothing is no JSON value")
    lines[index] = lines[index].replace(b'"topic":"', b'"topic":"\xff')
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect_fault(report["faults"], index, "bad_json", because="\\xff occurs in no UTF-8 text")


@e3.case("a torn last line is found, wherever it was torn")
def torn(student: Student, world: World) -> None:
    data = world.transcript(3).to_bytes()
    last = len(data.splitlines(keepends=True)[-1])
    report = student.verify_file(student.file("run.jsonl", data[: -world.number(2, last - 1)]))
    expect_fault(report["faults"], 2, "bad_json", because="half a record was written, and half of it is missing")
    expect(report["count"]).equals(2)
    report = student.verify_file(student.file("run.jsonl", data[:-1]))
    expect_fault(report["faults"], 2, "not_canonical", because="the next one to append would write on the same line")
    expect(report["count"]).equals(3)


@e3.case("the right values in another spelling are not_canonical")
def another_spelling(student: Student, world: World) -> None:
    transcript = world.transcript(3)
    transcript.append("note", f"{world.word()} é")
    lines = transcript.to_bytes().splitlines(keepends=True)
    record = transcript.records[3]
    for line in (
        json.dumps(record, sort_keys=True, ensure_ascii=False).encode() + b"\n",
        json.dumps(record, sort_keys=True, separators=(",", ":")).encode() + b"\n",
        canonical_bytes(dict(record)).replace(b'"kind"', b'"\\u006bind"') + b"\n",
        json.dumps(dict(reversed(record.items())), separators=(",", ":"), ensure_ascii=False).encode() + b"\n",
        lines[3][:-1] + b"\r\n",
    ):
        report = student.verify_file(student.file("run.jsonl", b"".join([*lines[:3], line])))
        expect_fault(report["faults"], 3, "not_canonical", because="two spellings of one record are two files")


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


@e3.case("it never raises, whatever a line holds")
def any_line(student: Student, world: World) -> None:
    lines = world.transcript(3).to_bytes().splitlines(keepends=True)
    index = world.number(0, 2)
    for odd, kind in ((b"[]", "not_an_object"), (b"7", "not_an_object"), (b"null", "not_an_object"),
                      (b"{}", "missing_fields"), (b'{"hash":[]}', "missing_fields")):  # fmt: skip
        report = student.verify_file(student.file("run.jsonl", b"".join([*lines[:index], odd + b"\n"])))
        expect_fault(report["faults"], index, kind)
        expect(report["count"]).equals(index + 1, because="the line does hold JSON")
    lines[index] = lines[index].replace(b'"ok":true', b'"ok":NaN')
    report = student.verify_file(student.file("run.jsonl", b"".join(lines)))
    expect(report["faults"][0]["index"]).equals(index)
    expect(report["faults"][0]["kind"]).one_of(["bad_json", "unserialisable_payload"], because="NaN is no JSON")


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


@e4.case("what the chain shows comes before what the anchor shows")
def chain_first(student: Student, world: World) -> None:
    transcript = world.transcript(6)
    anchor = {"count": 6, "head": transcript.anchor().head}
    index = world.number(0, 3)
    faults = student.verify_anchored(edited(transcript.records[:5], index, payload="changed"), anchor)
    expect_fault(faults, index, "hash_mismatch", because="an anchor replaces no verifier")
    expect(faults[-1]["kind"]).equals("records_missing", because=OUTSIDE)


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


@e5.case("an honest verifier is accused of nothing", points=2)
def honest(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 5)).records
    verify = world.tool(found)
    expect(student.tampering(records, verify)).equals([], because="what the chain cannot show is not asked of it")
    given = world.ledger.given(verify).plain
    expect(records in given).is_true(because="the untouched records are handed over as well")
    same_length = [one for one in given if isinstance(one, list) and len(one) == len(records)]
    touched = {n for one in same_length for n in range(len(records)) if one[n] != records[n]}
    expect(sorted(touched)).equals(list(range(len(records))), because="each record in turn is tampered with")


@e5.case("a verifier that accepts everything is said to have let a mutated transcript pass", points=2)
def accepts_everything(student: Student, world: World) -> None:
    records = world.transcript(world.number(2, 4)).records
    said = student.tampering(records, world.tool(lambda given: []))
    expect("\n".join(str(one.plain) for one in said)).contains(
        "a mutated transcript verified", because="a gate that cannot fail looks like one that passes"
    )


@e5.case("one that trusts stored hashes is caught, and so is one that does not look at the links")
def half_blind(student: Student, world: World) -> None:
    records = world.transcript(world.number(3, 5)).records
    for unseen in ("hash_mismatch", "prev_mismatch"):
        verify = world.tool(lambda given, unseen=unseen: [one for one in found(given) if one["kind"] != unseen])
        said = student.tampering(records, verify)
        expect("\n".join(str(one.plain) for one in said)).contains(
            "a mutated transcript verified", because=f"it misses {unseen}"
        )


@e5.case("to be blind at one record is enough to be caught")
def blind_at_one(student: Student, world: World) -> None:
    records = world.transcript(4).records
    for unseen in ((world.number(0, 2), "hash_mismatch"), (3, "hash_mismatch"), (world.number(1, 3), "prev_mismatch")):
        verify = world.tool(
            lambda given, unseen=unseen: [one for one in found(given) if (one["index"], one["kind"]) != unseen]
        )
        said = student.tampering(records, verify)
        expect(said).has_some("sentence", because=f"it never sees a {unseen[1]} at record {unseen[0]}")


@e5.case("one that misses a removed record is caught, and one that misses two that were swapped")
def misses_the_order(student: Student, world: World) -> None:
    records = world.transcript(4).records

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
    records, off = world.transcript(4).records, world.rng.choice([-1, 1])
    verify = world.tool(lambda given: [{**one, "index": one["index"] + off} for one in found(given)])
    said = student.tampering(records, verify)
    expect(said).has_some("sentence", because="who is sent to the wrong record at 3 am finds nothing there")


@e5.case("one that finds fault with the untouched records is caught")
def accuses(student: Student, world: World) -> None:
    records = world.transcript(3).records
    verify = world.tool(lambda given: found(given) or [{"index": 0, "kind": "hash_mismatch", "detail": ""}])
    said = student.tampering(records, verify)
    expect(said).has_some("sentence", because="a verifier that refuses everything refuses every forgery as well")


@e5.case("one that raises is caught, and the rest is still tried")
def raises(student: Student, world: World) -> None:
    records = world.transcript(3).records

    def falls_over(given: Any) -> list[dict[str, Any]]:
        if found(given):
            raise RuntimeError(world.words())
        return []

    verify = world.tool(falls_over)
    said = student.tampering(records, verify)
    expect(said).has_some("sentence", because="a verifier never raises")
    expect(world.ledger.calls(verify).plain > 2).is_true(because="behind the first exception the rest is tried")


@e5.case("exit 0: there are legs, all ran, and none found a fault")
def all_passed(student: Student, world: World) -> None:
    legs = [world.tool(list) for _ in range(world.number(1, 3))]
    code = student.gate({leg.name: leg for leg in legs}, world.tool(lambda *line: None, name="say"))
    expect(code).equals(0)
    for leg in legs:
        expect(world.ledger.calls(leg)).equals(1)


@e5.case("exit 1: a leg found a fault, and the legs behind it run as well")
def fault_found(student: Student, world: World) -> None:
    finds, passes = world.tool(lambda: [world.words()]), world.tool(list)
    code = student.gate({finds.name: finds, passes.name: passes}, world.tool(lambda *line: None, name="say"))
    expect(code).equals(1)
    expect(world.ledger.calls(passes)).equals(1, because="one fault is no reason not to look for the next")


@e5.case("exit 2: a leg could not grade, and that is neither a pass nor a fault", points=2)
def could_not_grade(student: Student, world: World) -> None:
    kind = world.rng.choice([OSError, ValueError, KeyError, ZeroDivisionError])
    breaks, passes = world.tool(after=0, error=kind(world.words())), world.tool(list)
    say = world.tool(lambda *line: None, name="say")
    for legs in ((breaks,), (breaks, passes), (passes, breaks)):
        code = student.gate({leg.name: leg for leg in legs}, say)
        expect(code).equals(2, because="a leg that raised has graded nothing")
    expect(world.ledger.calls(passes)).equals(2, because="the legs behind it run as well")


@e5.case("exit 2: a gate without legs has graded nothing")
def no_legs(student: Student, world: World) -> None:
    code = student.gate({}, world.tool(lambda *line: None, name="say"))
    expect(code).equals(2, because="nothing ran, which is not the same as: everything passed")


@e5.case("a fault weighs more than a leg that could not grade")
def both(student: Student, world: World) -> None:
    finds, breaks = world.tool(lambda: [world.words()]), world.tool(after=0, error=OSError(world.words()))
    say = world.tool(lambda *line: None, name="say")
    for legs in ((finds, breaks), (breaks, finds)):
        expect(student.gate({leg.name: leg for leg in legs}, say)).equals(1, because="the fault is certain")


@e5.case("`say` is told of every leg by its name, and every fault")
def told(student: Student, world: World) -> None:
    faults = [world.words(), world.words()]
    finds, passes = world.tool(lambda: faults), world.tool(list)
    breaks = world.tool(after=0, error=OSError(world.words()))
    say = world.tool(lambda *line: None, name="say")
    student.gate({leg.name: leg for leg in (finds, passes, breaks)}, say)
    lines = [" ".join(map(str, args.get("*", args.values()))) for args in world.ledger.arguments(say).plain]
    expect("\n".join(lines)).contains(
        finds.name, *faults, passes.name, breaks.name, because="an exit code alone does not say where to look"
    )
