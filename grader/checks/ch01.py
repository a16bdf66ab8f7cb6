"""Session 1, a tool is a contract: exact, unshared, refused by raising, and the same bytes in every interpreter."""

from dataclasses import replace
from decimal import Decimal
from hashlib import sha256

from course.corpus import convert_currency
from course.errors import ToolError
from grader.engine.exercise import Session
from grader.engine.expect import expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import World

session = Session("ch01", "A tool is a contract", builds=("course.corpus",), gives=("course.errors",))

# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch01-e1",
    "Exactly what was asked, and yours to keep",
    provides=["list_documents"],
    hints=[
        'What does `"tool" in "tools"` say, and what `"tool" in ("tools", "loops")`? Which of the two is `tags`?',
        "`if tag` asks whether the text is empty. What do you want to ask?",
        "`sorted` takes any collection and returns a list that nobody else holds.",
    ],
)


@e1.case("a tag finds the documents that carry it, among those that were handed in")
def by_tag(student: Student, world: World) -> None:
    wanted, other = world.distinct_words(2)
    documents = world.documents((wanted,), (wanted, other), (other,), (other, wanted), ())
    expect(student.list_documents(tag=wanted, documents=documents)).equals(
        sorted(document.id for document in documents if wanted in document.tags)
    )
    expect(student.list_documents(tag="retrieval")).equals(["rag-basics"], because="left out, it is the course's own")


@e1.case("without a tag, or with None, every document is listed")
def without_a_tag(student: Student, world: World) -> None:
    documents = world.documents(*((word,) for word in world.distinct_words(4)), ())
    everything = sorted(document.id for document in documents)
    for args in ({}, {"tag": None}):
        expect(student.list_documents(documents=documents, **args)).equals(
            everything, because="a document without any tag is a document too"
        )


@e1.case("a tag matches whole, by case, and as a tag only", points=2)
def whole_tags(student: Student, world: World) -> None:
    tag = world.word()
    near = [f"{tag}s", f"un{tag}", tag.upper(), tag.capitalize(), f"{tag} ", tag[:-1]]
    documents = world.documents((tag,), *((one,) for one in near), ())
    carries = [document.id for document in documents if tag in document.tags]
    expect(student.list_documents(tag=tag, documents=documents)).equals(
        carries, because="a model takes the list as true, and cannot see that a document was only similar"
    )
    expect(student.list_documents(tag=tag[1:-1], documents=documents)).equals([], because="a piece of a tag is no tag")
    for spaced in (f" {tag}", f"{tag}  ", f"\t{tag}"):
        expect(student.list_documents(tag=spaced, documents=documents)).equals(
            [], because="a space is a character like any other, and nobody carries this tag"
        )
    some = documents[0]
    a_word = next(word for word in some.text.split() if word != tag)
    for elsewhere in (some.id, some.title, some.text, a_word):
        expect(student.list_documents(tag=elsewhere, documents=documents)).equals(
            [], because="what stands in the id, the title or the text is no tag"
        )


@e1.case("the ids are sorted, whatever the order of the documents")
def sorted_ids(student: Student, world: World) -> None:
    tag = world.word()
    documents = world.documents(*[(tag,)] * 14)
    for place, first in enumerate("bAaB_9"):
        documents[place] = replace(documents[place], id=f"{first}{documents[place].id}")
    ids = sorted(document.id for document in documents)
    because = "the same documents in another order are the same documents"
    expect(student.list_documents(tag=tag, documents=documents)).equals(ids, because=because)
    expect(student.list_documents(tag=tag, documents=tuple(reversed(documents)))).equals(ids, because=because)
    expect(student.list_documents(documents=documents)).equals(ids, because=because)


@e1.case("a tag that nobody carries gives an empty list, and so does the empty text")
def nobody(student: Student, world: World) -> None:
    here, elsewhere = world.distinct_words(2)
    documents = world.documents((here,), (here, f"{here}-2"), ())
    for tag in (elsewhere, "", "None", "none", "*", "all"):
        expect(student.list_documents(tag=tag, documents=documents)).equals(
            [], because="none of them is a true answer, and None alone means all"
        )


@e1.case("each call returns a list of its own")
def a_list_of_its_own(student: Student, world: World) -> None:
    tag, other = world.distinct_words(2)
    documents = world.documents((tag,), (tag, other), (tag,), (other,))
    ids = sorted(document.id for document in documents if tag in document.tags)
    held = student.hold(documents)
    first = student.list_documents.kept(tag=tag, documents=held)
    for args in ({"tag": other}, {"tag": None}, {}):
        student.list_documents.kept(documents=held, **args).method("clear")
    expect(first.copy()).equals(ids, because="a later call must not change what an earlier caller was given")
    first.method("clear")
    first.method("append", "crossed off")
    because = "the caller changed a list of its own, and that must not reach the next caller"
    expect(student.list_documents(tag=tag, documents=held)).equals(ids, because=because)
    expect(student.list_documents(documents=held)).has_length(4, because=because)


@e1.case("the documents stay as they were")
def documents_unchanged(student: Student, world: World) -> None:
    tag = world.word()
    documents = world.documents(*[(tag,)] * 9)
    held = student.hold(documents)
    expect(student.list_documents(tag=tag, documents=held)).has_length(9)
    expect(held.copy()).equals(documents, because="a tool that reads does not write")


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch01-e2",
    "A refusal is raised, and money is exact",
    provides=["convert_currency"],
    hints=[
        "If one dollar buys 0.92 euros, are 100 dollars worth more than 100 euros or less? Which rate goes above the "
        "line?",
        "`Decimal(1.005)` and `Decimal(str(1.005))` are two numbers. Print both.",
        "Count the places where a digit can get lost: the way into `Decimal`, a division that does not come out even, "
        "and each rounding.",
        "Look at both codes before you compute anything. `ToolError(tool, problem, options)` lists the options itself.",
    ],
)


@e2.case("100 USD is 92.00 EUR, and 92 EUR is 100.00 USD")
def there_and_back(student: Student, world: World) -> None:
    amount = 100 * world.number(1, 99)
    expect(student.convert_currency(amount=amount, source="USD", target="EUR")).equals(
        f"{amount} USD = {amount * 92 // 100}.00 EUR", because="one dollar buys 0.92 euros"
    )
    expect(student.convert_currency(amount=92, source="EUR", target="USD")).equals("92 EUR = 100.00 USD")
    expect(student.convert_currency(amount=0, source="JPY", target="JPY")).equals("0 JPY = 0.00 JPY")


@e2.case("the rates are those that were handed in", points=2)
def own_rates(student: Student, world: World) -> None:
    for _ in range(4):
        rates = _rates(world)
        source, target = world.rng.sample(sorted(rates), 2)
        amount = world.number(1, 90_000)
        held = student.hold(rates)
        expect(student.convert_currency(amount=amount, source=source, target=target, rates=held)).equals(
            convert_currency(amount, source, target, rates=rates)
        )
        with expect_raises(ToolError):
            student.convert_currency(amount=amount, source=f"{source}X", target=target, rates=held)
        expect(held.copy()).equals(rates, because="a tool that reads a table does not write in it")


@e2.case("a float counts as the number that is written, and a Decimal as itself")
def written_numbers(student: Student, world: World) -> None:
    rates = {"A": Decimal(1), "B": Decimal(1)}
    written = ["1.005", "2.675", "0.285", "19.99", "1234567.895", f"{world.number(1, 999)}.{world.number(1, 9)}"]
    for text in written:
        for amount in (float(text), Decimal(text)):
            expect(student.convert_currency(amount=amount, source="A", target="B", rates=rates)).equals(
                convert_currency(amount, "A", "B", rates=rates),
                because="a float holds the nearest number that it can, and somebody pays the difference",
            )
    for text in ("123456789012345.675", "1.00499999999999999", "-1.00499999999999999"):
        expect(student.convert_currency(amount=Decimal(text), source="A", target="B", rates=rates)).equals(
            convert_currency(Decimal(text), "A", "B", rates=rates),
            because="a Decimal has more digits than a float, and each of them counts",
        )
    expect(student.convert_currency(amount=Decimal("19.90"), source="A", target="B", rates=rates)).equals(
        "19.90 A = 19.90 B", because="the amount is shown as it was given"
    )


@e2.case("half a cent goes away from zero")
def half_a_cent(student: Student, world: World) -> None:
    rates = {"A": Decimal("0.5"), "B": Decimal(1)}
    for _ in range(3):
        cents = 2 * world.number(1, 5_000)  # an even number of cents, which rounding to even would leave alone
        amount = (Decimal(cents) + Decimal("0.5")).scaleb(-2) / 2
        for signed in (amount, -amount):
            expect(student.convert_currency(amount=signed, source="A", target="B", rates=rates)).equals(
                convert_currency(signed, "A", "B", rates=rates)
            )


@e2.case("it is rounded once, and multiplied before it is divided")
def rounded_once(student: Student, world: World) -> None:
    rates = {"A": Decimal("0.84"), "B": Decimal(9), "Y": Decimal("151.50")}
    because = "what is cut off before the end is missing at the end"
    for amount in world.rng.sample(_TIES, 3):
        expect(student.convert_currency(amount=amount, source="A", target="B", rates=rates)).equals(
            convert_currency(amount, "A", "B", rates=rates), because=because
        )
    exact: tuple[Decimal | float, ...] = tuple(map(Decimal, ("1.0049999", "1.00499999999", "-2.6749999999", "2.675")))
    for given in (*exact, 1.005):
        expect(student.convert_currency(amount=given, source="A", target="A", rates=rates)).equals(
            convert_currency(given, "A", "A", rates=rates), because="what is rounded on the way is rounded twice"
        )
    for yen in world.rng.sample(range(10, 300, 7), 8):
        expect(student.convert_currency(amount=yen, source="Y", target="A", rates=rates)).equals(
            convert_currency(yen, "Y", "A", rates=rates), because=because
        )


@e2.case("an unknown code is refused, on either side and for any amount", points=2)
def unknown_codes(student: Student, world: World) -> None:
    rates = _rates(world)
    known = world.rng.choice(sorted(rates))
    because = "what is returned counts as a result, and a program does not read it"
    for unknown in (f"{known}X", known.lower(), ""):
        for source, target in ((unknown, known), (known, unknown), (unknown, unknown)):
            for amount in (world.number(1, 99), 0):
                with expect_raises(ToolError, because=because, given=True):
                    student.convert_currency(amount=amount, source=source, target=target, rates=rates)


@e2.case("the refusal names the tool, the unknown code, and the codes that are known")
def refusal_text(student: Student, world: World) -> None:
    rates = _rates(world)
    known = world.rng.choice(sorted(rates))
    because = "whoever reads it must be able to ask again, and right"
    for source, target in (("ZZ9", known), (known, "ZZ9")):
        with expect_raises(ToolError, saying=["convert_currency", "ZZ9", *sorted(rates)], because=because):
            student.convert_currency(amount=1, source=source, target=target, rates=rates)


def _rates(world: World) -> dict[str, Decimal]:
    """Four currencies under made-up codes."""
    codes = {"".join(world.rng.choices("ABCDEFGHKLMNPQRSTUVW", k=3)) for _ in range(9)}
    return {code: Decimal(world.number(11, 19_999)).scaleb(-2) for code in sorted(codes)[:4]}


# From a rate of 0.84 to one of 9 each is worth an odd number of half cents, and whoever divides first is a cent short.
_TIES = [
    Decimal(text) for text in ("0.0910", "0.8470", "0.8554", "0.8638", "0.8722", "0.8806", "8.4070", "8.4994", "8.6338")
]


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch01-e3",
    "The same arguments, the same bytes",
    provides=["open_ticket"],
    hints=[
        "Which parts of the line change between the two interpreters above? One of them is made in two branches.",
        "`sorted` gives one order to whatever order it gets. In how many places does an order come in here?",
        "The time is among the arguments already. Who is to be believed, the caller or the clock?",
    ],
)


@e3.case("two interpreters, the same bytes", points=2)
def two_interpreters(student: Student, world: World) -> None:
    for tags in (world.distinct_words(5), []):
        title, at = world.words(4), _moment(world)
        first = student.open_ticket(title=title, tags=tags, at=at, **world.interpreter())
        second = student.open_ticket(title=title, tags=tags, at=at, **world.interpreter())
        expect(second).equals(first.plain, because="another interpreter was asked the same, and said something else")
        expect(second).equals(_line(title, tags, at), because="the line depends on title, tags and time alone")


@e3.case("the number is stable_number of the title")
def stable_numbers(student: Student, world: World) -> None:
    for title in (world.words(3), "Disk full again", "Überlauf im Café", "Wrong badge", "  Two  spaces\tand a tab "):
        tags, at = [world.word()], _moment(world)
        expect(student.open_ticket(title=title, tags=tags, at=at, **world.interpreter())).equals(
            _line(title, tags, at), because="in every other interpreter the hash of this title is another one"
        )


@e3.case("the tags are sorted, each once, in whatever order and however often they come")
def sorted_tags(student: Student, world: World) -> None:
    tags = world.distinct_words(6)
    tags += [tags[0].upper(), tags[1].capitalize(), f"{tags[2]} {tags[3]}"]
    title, at = world.words(3), _moment(world)
    for mixed in (tags, tags[::-1], [*tags, *world.rng.sample(tags, 3)]):
        expect(student.open_ticket(title=title, tags=mixed, at=at, **world.interpreter())).equals(
            _line(title, tags, at), because="the same tags in another order are the same tags"
        )
    held = student.hold(tags)
    student.open_ticket(title=title, tags=held, at=at, **world.interpreter())
    expect(held.copy()).equals(tags, because="the caller still has this list, and has it in that order")


@e3.case("without tags the words of the title are sorted too")
def sorted_words(student: Student, world: World) -> None:
    words = world.distinct_words(6)
    title, at = " ".join([*words, words[0].upper(), words[1].capitalize()]), _moment(world)
    expect(student.open_ticket(title=title, tags=[], at=at, **world.interpreter())).equals(
        _line(title, [], at), because="a set has no order in this branch either"
    )


@e3.case("the time is the caller's, and no clock is in the line")
def callers_time(student: Student, world: World) -> None:
    title, tags = world.words(3), [world.word()]
    for at in (_moment(world), "", "yesterday"):
        expect(student.open_ticket(title=title, tags=tags, at=at, **world.interpreter())).equals(
            _line(title, tags, at), because="a clock shows another time whenever it is read"
        )


@e3.case("what was said before does not change what is said now")
def nothing_remembered(student: Student, world: World) -> None:
    title, other, at, later = world.words(3), world.words(3), _moment(world), _moment(world)
    tags = world.distinct_words(3)
    asked = [(title, tags, at), (title, tags[:1], at), (title, [], at), (other, tags, at), (title, tags, later)]
    for title, tags, at in asked:
        expect(student.open_ticket(title=title, tags=tags, at=at, **world.interpreter())).equals(
            _line(title, tags, at), because="a memory ends with the interpreter that has it"
        )


def _moment(world: World) -> str:
    return f"{world.number(0, 23):02d}:{world.number(0, 59):02d}"


def _line(title: str, tags: list[str], at: str) -> str:
    """The line that every interpreter must give."""
    labels = ", ".join(sorted({*(tags or title.lower().split())}))
    number = int.from_bytes(sha256(title.encode("utf-8")).digest(), "big") % 10_000
    return f"ticket {number:04d} [{labels}] {title} (opened {at})"
