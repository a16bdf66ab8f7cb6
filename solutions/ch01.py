# %% [markdown]
# # 1 · A tool is a contract
#
# **You will build** two small tools that the whole course uses, and repair a third. On the way you meet the check, which judges what your code does and
# says what it saw.
#
# **You need** Python: functions, keyword arguments, dicts, exceptions. Nothing about agents, no key, no network.
#
# **Minutes** about 60.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## What a tool is
#
# A language model writes text. It cannot look into a file or convert an amount of money. So a program offers it functions that can: the model writes which
# one it wants and with which arguments, the program calls it, and the result goes back to the model as text. Such a function is a **tool**, and a program
# that goes on like this is an **agent**.
#
# Here are two such requests, written by hand.

# %% tags=["given"]
def count_words(text):
    """How many words `text` has."""
    return len(text.split())


def longest_word(text):
    """The longest word of `text`; of two that are equally long, the first."""
    return max(text.split(), key=len)


tools = {"count_words": count_words, "longest_word": longest_word}
requests = [
    {"tool": "count_words", "args": {"text": "a tool is a contract"}},
    {"tool": "longest_word", "args": {"text": "a tool is a contract"}},
]

for request in requests:
    result = tools[request["tool"]](**request["args"])
    print(f"{request['tool']}({request['args']}) -> {result!r}")

# %% [markdown]
# The tool is found by its name, and its arguments come by name too. The caller never sees the code. It knows what the tool promises, and works with whatever
# comes back. That makes a tool a **contract**, and this session is about three of its clauses:
#
# ![A tool as a box. From the left come named arguments, chosen by the caller. From above comes what the tool reads, documents or rates, handed in. To the right leave a result, which is returned, or a refusal, which is raised. Below, crossed off, stands what must not come in: the clock, the salt of hash, the order of a set, and lists that others change.](pictures/ch01-contract.svg)
#
# - the result answers exactly what was asked, and belongs to the caller (exercise 1);
# - it is correct to the last digit that is shown, and a refusal looks different from a result (exercise 2);
# - the same arguments give the same result, on every machine and every day (exercise 3).
#
# What the two tools read comes with the course: eight short documents and a table of exchange rates.

# %% tags=["given"]
from course.data import DOCUMENTS, RATES

for document in DOCUMENTS:
    print(f"{document.id:16} {document.tags}")
print({code: str(rate) for code, rate in RATES.items()})

# %% [markdown]
# ## 1 · Exactly what was asked, and yours to keep
#
# LocalAI runs language models on your own machine and has a gallery of them, which can be browsed by tag. In March 2026 a user chose the tag for speech
# recognition and was shown, among others, a model that makes pictures. The request was matched as a piece of text against names and descriptions too, not
# only as a tag ([mudler/LocalAI #8775](https://github.com/mudler/LocalAI/issues/8775)).
#
# A model takes the list as true. Here is the same mistake, in one line.

# %% tags=["given"]
def loose_list(tag):
    """The ids of all documents in which `tag` occurs somewhere."""
    return [document.id for document in DOCUMENTS if tag in f"{document.title} {document.tags} {document.text}"]


print("asked for agent:", loose_list("agent"))
print("asked for tool: ", loose_list("tool"))
print("asked for a:    ", len(loose_list("a")), "of", len(DOCUMENTS))

# %% [markdown]
# None of the three is a tag: the tags are `agents` and `tools`. And `eval-basics`, in the first list, carries neither; it only mentions an agent.
#
# The list can go wrong in a second way. A Java library for agents returned its own record of past calls instead of a copy. A caller who emptied that list
# emptied the history ([langchain4j/langchain4j #6363](https://github.com/langchain4j/langchain4j/issues/6363)). In Python it happens like this:

# %% tags=["given"]
ids_by_tag = {"tools": ["error-messages", "schema-basics", "tool-contracts"]}


def shared_list(tag):
    """The ids that are filed under `tag`: the very list in which they are filed."""
    return ids_by_tag[tag]


mine = shared_list("tools")
mine.remove("schema-basics")
print("I crossed one off my list.   The next caller gets:", shared_list("tools"))

# %% [markdown]
# And a third way: order. Below, the same documents lie in two orders, as they might after a new export. A list that follows them is another text, and
# a model that reads another text may decide something else.

# %% tags=["given"]
def in_file_order(tag=None, *, documents=DOCUMENTS):
    """The right ids, in whatever order the documents lie."""
    return [document.id for document in documents if tag is None or tag in document.tags]


print(in_file_order("loops"))
print(in_file_order("loops", documents=DOCUMENTS[::-1]))

# %% [markdown]
# **You write** `list_documents(tag=None, *, documents=DOCUMENTS)`. It returns the ids of the documents that carry the tag, as a list.
#
# - A tag matches whole, with the same capital and small letters and spaces, and only as a tag: not a part of it, nor a word of the title, the text or the id.
# - Without a tag, or with `tag=None`, all documents are listed. `None` alone means that: an empty text, or the text `"None"`, is a tag like any other.
# - A tag that nobody carries gives an empty list. "None of them" is a true answer and no failure.
# - The ids are sorted as Python sorts texts, capitals first. No id occurs twice in `documents`.
# - Each call returns a list of its own. Whatever the caller does to it, the next call is not concerned.
# - `documents` is what the tool reads: a list or tuple, in any order, and it stays as it was. A model never gives it; it is a parameter so that somebody else,
#   such as the check, can hand in documents of their own.
#
# **Don't change** the names of the parameters. A tool is called by name: `list_documents(tag="tools")`.
#
# **Done when** the check has handed in its own documents and found every list complete, sorted and unshared.

# %% tags=["answer"] exercise="ch01-e1"
def list_documents(tag=None, *, documents=DOCUMENTS):
    """The ids of the documents that carry `tag`, sorted; of all documents where `tag` is None."""
    ### BEGIN SOLUTION
    return sorted(document.id for document in documents if tag is None or tag in document.tags)
    ### END SOLUTION

# %% [markdown]
# `compare` shows yours beside what it should be, before anyone judges it, even while the stub raises. Where a number is expected of a list, it is its length.

# %% tags=["demo"] exercise="ch01-e1"
compare(lambda: list_documents(tag="tools"), ["error-messages", "schema-basics", "tool-contracts"])

# %% tags=["demo"] exercise="ch01-e1"
compare(
    lambda: {
        "part_of_a_tag": list_documents(tag="tool"),
        "another_order": list_documents(tag="loops", documents=DOCUMENTS[::-1]),
        "all": list_documents(),
    },
    part_of_a_tag=[],
    another_order=["agent-loops", "budget-basics"],
    all=8,
)

# %% [markdown]
# The **check** is the judge. It calls your function many times, with documents that it makes up, and looks at what comes back and at what has changed
# meanwhile; it never reads your code. For each case it says what it called, what it expected, what it got, and why that matters. Try it once with a wrong
# answer, such as `check("ch01-e1", in_file_order)` in a new cell: a check that you have not seen fail tells you little.

# %% tags=["check"] exercise="ch01-e1"
check("ch01-e1", list_documents)

# %% [markdown]
# ## 2 · A refusal is raised, and money is exact
#
# A course on agents has a lesson about tools, with a travel agent as its example. One tool looks up whether a place can be booked. For a place that it does
# not know it returns the text "Unknown destination"; another returns a sentence where it knows no flight
# ([microsoft/ai-agents-for-beginners, lesson 04](https://github.com/microsoft/ai-agents-for-beginners/blob/main/04-tool-use/code_samples/04-python-agent-framework.ipynb)).
#
# The program around the model sees a call that went well. Only somebody who reads the text can tell, and
# programs do not read.

# %% tags=["given"]
def polite_converter(amount, source, target):
    """Converts, and answers in words where it cannot."""
    if source not in RATES or target not in RATES:
        return "unknown currency"
    return f"{amount} {source} = {float(amount) * float(RATES[target]) / float(RATES[source]):.2f} {target}"


for source in ("USD", "usd"):
    result = polite_converter(amount=100, source=source, target="EUR")
    print("the call went well:", result)

# %% [markdown]
# A tool that cannot do what was asked **raises** `ToolError`. It says three things: which tool speaks, what is wrong, and what would have been right. You
# write the class itself in session 4; here it is a given.

# %% tags=["given"]
from course.errors import ToolError


def describe_currency(code):
    """How many units of `code` one US dollar buys."""
    if code not in RATES:
        raise ToolError("describe_currency", f"unknown currency {code!r}", RATES)
    return f"1 USD = {RATES[code]} {code}"


def outcome(tool, **args):
    """What a call came to: its result, or its refusal as text."""
    try:
        return tool(**args)
    except ToolError as refusal:
        return f"refused: {refusal}"


print(outcome(describe_currency, code="JPY"))
print(outcome(describe_currency, code="jpy"))

# %% [markdown]
# The converter has a second fault, which is harder to see. A `float` cannot hold most decimal fractions: it holds the nearest number that it can. An app
# store computed `int(price * 100)` and charged $19.98 for what was listed at $19.99
# ([BasedHardware/omi #10158](https://github.com/BasedHardware/omi/pull/10158)).

# %% tags=["given"]
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

wrong = [cents for cents in range(1, 10_001) if int(cents / 100 * 100) != cents]

print(len(wrong), "of the prices from 0.01 to 100.00 come out wrong, such as", [cents / 100 for cents in wrong[:4]])
print("the float 19.99 * 100:", 19.99 * 100)
print("the float 1.005 is   :", Decimal(1.005))
print("to two decimals      :", f"{1.005:.2f}", "and not 1.01")
print("through its text     :", Decimal(str(1.005)))

# %% [markdown]
# `Decimal` counts as we do on paper. `Decimal(1.005)` takes over what the float holds; `Decimal(str(1.005))` takes what was written. Two choices remain, and a
# contract must state both: which way half a cent goes, and when to round.

# %% tags=["given"]
cent = Decimal("0.01")
for amount in (Decimal("1.005"), Decimal("-1.005"), Decimal("1.015")):
    up = amount.quantize(cent, rounding=ROUND_HALF_UP)
    even = amount.quantize(cent, rounding=ROUND_HALF_EVEN)
    print(f"{amount:>6}: away from zero {up}, to the even neighbour {even}")

amount, source_rate, target_rate = Decimal("0.091"), Decimal("0.84"), Decimal("9")
print("multiply, then divide:", amount * target_rate / source_rate)
print("divide, then multiply:", amount / source_rate * target_rate)

# %% [markdown]
# `ROUND_HALF_UP` goes away from zero, whatever its name says of "up". And a quotient that does not come out even is cut off somewhere: who divides first has
# lost something before the rounding begins. Here it costs a cent.
#
# **You write** `convert_currency(amount, source, target, *, rates=RATES)`. It returns one text, such as `100 USD = 92.00 EUR`:
# the amount as it was given, the code, ` = `, what it is worth with exactly two decimals, the other code.
#
# - `rates` says for each code how many units of it one US dollar buys. So the worth is *amount × rate of the target ÷ rate of the source*.
# - Compute it in `Decimal` and in that order: multiply, divide, then round, once. Half a cent goes away from zero.
# - `amount` is an `int`, a `float` or a `Decimal` of up to 18 digits, negative or not. A float counts as the decimal number that Python prints for it, so
#   `1.005` is 1.005. Where a negative one rounds to nothing, either `0.00` or `-0.00` will do.
# - A code that is not in `rates`, as source, target or both, is refused with the given `ToolError`, whatever the amount. Its text names the tool,
#   `convert_currency`, the code that is unknown, and every code that is known. `usd` is not `USD`. `rates` stays as it was.
# - All currencies get two decimals here, the yen too.
#
# **Don't change** the names of the parameters. The check hands in rates of its own.
#
# **Done when** no cent is missing and no refusal comes back as a result.

# %% tags=["answer"] exercise="ch01-e2"
def convert_currency(amount, source, target, *, rates=RATES):
    """`100 USD = 92.00 EUR`; raises ToolError for a code that is not in `rates`.

    rates: code -> units of it that one US dollar buys, as Decimal
    """
    ### BEGIN SOLUTION
    for code in (source, target):
        if code not in rates:
            raise ToolError("convert_currency", f"unknown currency {code!r}", rates)
    worth = Decimal(str(amount)) * rates[target] / rates[source]
    return f"{amount} {source} = {worth.quantize(cent, rounding=ROUND_HALF_UP)} {target}"
    ### END SOLUTION

# %% tags=["demo"] exercise="ch01-e2"
compare(
    lambda: {
        "there": convert_currency(amount=100, source="USD", target="EUR"),
        "and_back": convert_currency(amount=92, source="EUR", target="USD"),
        "half_a_cent": convert_currency(amount=1.005, source="USD", target="USD"),
        "divide_last": convert_currency(amount=Decimal("0.091"), source="A", target="B", rates={"A": Decimal("0.84"), "B": Decimal("9")}),
    },
    there="100 USD = 92.00 EUR",
    and_back="92 EUR = 100.00 USD",
    half_a_cent="1.005 USD = 1.01 USD",
    divide_last="0.091 A = 0.98 B",
)

# %% tags=["demo"] exercise="ch01-e2"
compare(
    lambda: outcome(convert_currency, amount=100, source="USD", target="XYZ"),
    "refused: convert_currency: unknown currency 'XYZ' (have: AUD, CHF, EUR, GBP, JPY, SEK, USD)",
)

# %% tags=["check"] exercise="ch01-e2"
check("ch01-e2", convert_currency)

# %% [markdown]
# ## 3 · The same arguments, the same bytes
#
# The travel agent of the same lesson can also book. Its tool confirms with a number that it makes from the passenger's name: `hash(passenger_name) % 10000`
# ([microsoft/ai-agents-for-beginners, lesson 04](https://github.com/microsoft/ai-agents-for-beginners/blob/main/04-tool-use/code_samples/04-python-agent-framework.ipynb)).
# Book, restart the notebook, book again: the same passenger has another number.
#
# Python mixes a **salt** into the `hash` of every text, a random number that it draws when it starts (unless `PYTHONHASHSEED` fixes it). A set of texts is
# kept by those hashes, so its order changes along with them. And a clock shows another time whenever it is read. This tool is caught by all three:

# %% tags=["given"]
import sys


def careless_ticket(title, tags, at, *, hash, set, now):
    """Opens a ticket and confirms it in one line. `at` is when the caller says that it was opened."""
    number = hash(title) % 10_000
    if tags:
        labels = set(tags)
    else:
        labels = set(title.lower().split())
    return f"ticket {number:04d} [{', '.join(labels)}] {title} (opened {now()})"


print("this Python salts the hash of a text:", bool(sys.flags.hash_randomization))

# %% [markdown]
# In an ordinary tool, `hash`, `set` and the clock come from Python, and to see them change you would start Python twice. Here the tool gets the three as
# parameters, behind the `*`, and `interpreter` makes what a freshly started Python would bring along.

# %% tags=["given"]
from zlib import crc32


def interpreter(seed):
    """`hash`, `set` and `now` as a Python has them that was started with this seed."""

    def salted_hash(text):
        return crc32(f"{seed}{text}".encode())

    def in_hash_order(items):
        return sorted(dict.fromkeys(items), key=salted_hash)

    def clock():
        return f"{9 + seed:02d}:00"

    return {"hash": salted_hash, "set": in_hash_order, "now": clock}


disk = {"title": "Disk full again", "tags": ["urgent", "disk", "urgent"], "at": "08:15"}
untagged = {**disk, "tags": []}

for seed in (1, 2):
    print("interpreter", seed, "- hash:", interpreter(seed)["hash"]("Disk full again"))
    print("  ", careless_ticket(**disk, **interpreter(seed)))
    print("  ", careless_ticket(**untagged, **interpreter(seed)))

# %% [markdown]
# ![Two interpreters are given the same title, tags and time. In the first, the hash of the title ends in 9764, the set has the order urgent, disk, and the clock shows ten. In the second, the hash ends in 8470, the order is disk, urgent, and the clock shows eleven. Both must give the same bytes, or the tool is wrong.](pictures/ch01-interpreters.svg)
#
# Within one interpreter the tool looks deterministic, which is why such a fault is found late. `Answers` asks one question twelve times and gives each
# different answer a letter of its own, in the order in which they turn up. The last three rows look at one part of the line each.

# %% tags=["given"]
import re


class Answers:
    """The answers to one question, asked with seeds 0 to 11: the same letter, the same answer."""

    colours = ["#2a7d4f", "#b3402f", "#34507c", "#8a6d1f", "#6b4a86", "#2f7f86"]

    def __init__(self, **questions):
        self.rows = {name: self.letters(ask) for name, ask in questions.items()}

    def letters(self, ask):
        try:
            answers = [ask(seed) for seed in range(12)]
        except NotImplementedError:
            return "·" * 12
        different = []
        for answer in answers:
            if answer not in different:
                different.append(answer)
        return "".join("ABCDEFGHIJKL"[different.index(answer)] for answer in answers)

    def __repr__(self):
        return "\n".join(f"{letters}  {name}" for name, letters in self.rows.items())

    def _repr_html_(self):
        return "".join(f"<div>{self.boxes(letters)} {name}</div>" for name, letters in self.rows.items())

    def boxes(self, letters):
        style = "display:inline-block;width:1.4em;margin:1px;text-align:center;font-family:monospace;color:#fff"
        colour = {letter: self.colours[n % 6] for n, letter in enumerate("ABCDEFGHIJKL")}
        return "".join(f'<span style="{style};background:{colour.get(one, "#777")}">{one}</span>' for one in letters)


def part(seed, number):
    """One part of the line that interpreter `seed` gives: number, tags or time."""
    return re.split(r" \[|\] | \(", careless_ticket(**disk, **interpreter(seed)))[number]


Answers(
    twelve_times_in_one_interpreter=lambda seed: careless_ticket(**disk, **interpreter(1)),
    once_in_each_of_twelve=lambda seed: careless_ticket(**disk, **interpreter(seed)),
    the_number=lambda seed: part(seed, 0),
    the_tags=lambda seed: part(seed, 1),
    the_time=lambda seed: part(seed, -1),
)

# %% [markdown]
# To remember the first value and give it again helps as little: the memory ends with the interpreter. Neither does `random.seed`: the salt is not drawn from
# `random`.
#
# What helps is to take every part of the line from the arguments. For the number there is `stable_number`. It is made with SHA-256, a function that gives the
# same for the same bytes wherever it is computed, so the two values below can be held against fixed ones.

# %% tags=["given"]
from hashlib import sha256


def stable_number(text):
    """A number from 0 to 9999 that depends on the text alone."""
    return int.from_bytes(sha256(text.encode("utf-8")).digest(), "big") % 10_000


compare(lambda: {"disk": stable_number("Disk full again"), "tea": stable_number("tea")}, disk=3166, tea=6130)

# %% [markdown]
# **You write** `open_ticket(title, tags, at, *, hash, set, now)`: the same line, `ticket 0042 [disk, urgent] Disk full (opened 08:15)`, from nothing but
# `title`, `tags` and `at`.
#
# - The number is `stable_number(title)`, with four digits as before, such as `0008`. The title stands there as it was given, spaces and all.
# - In the brackets stand the different tags as they are, sorted, with `, ` between them. `tags` is a list in any order, which stays as it
#   was, and a tag may occur in it more than once.
# - Where `tags` is empty, the different words of the title in small letters stand there (`title.lower().split()`), sorted too.
# - The time is `at`, as it was given.
#
# **Don't change** the parameters. The check hands in a `hash`, a `set` (it lists the different items in an order of its own choosing) and a `now`, and then
# others, as two interpreters would. You may use them or leave them alone, as long as nothing of them reaches the line.
#
# **Done when** two interpreters have given the same bytes, and the bytes are the right ones. A function that gives the same to both in *this* Python, because
# it took Python's own `hash`, gives the wrong number.

# %% tags=["answer"] exercise="ch01-e3"
def open_ticket(title, tags, at, *, hash, set, now):
    """Opens a ticket and confirms it in one line that depends on title, tags and at alone."""
    ### BEGIN SOLUTION
    labels = sorted(set(tags or title.lower().split()))
    return f"ticket {stable_number(title):04d} [{', '.join(labels)}] {title} (opened {at})"
    ### END SOLUTION

# %% tags=["demo"] exercise="ch01-e3"
compare(
    lambda: {"first": open_ticket(**disk, **interpreter(1)), "second": open_ticket(**disk, **interpreter(2))},
    first="ticket 3166 [disk, urgent] Disk full again (opened 08:15)",
    second="ticket 3166 [disk, urgent] Disk full again (opened 08:15)",
)

# %% tags=["demo"] exercise="ch01-e3"
compare(
    lambda: {"first": open_ticket(**untagged, **interpreter(1)), "second": open_ticket(**untagged, **interpreter(2))},
    first="ticket 3166 [again, disk, full] Disk full again (opened 08:15)",
    second="ticket 3166 [again, disk, full] Disk full again (opened 08:15)",
)

# %% tags=["check"] exercise="ch01-e3"
check("ch01-e3", open_ticket)

# %% [markdown]
# ## What you have
#
# **Built:** `list_documents` and `convert_currency`, the two tools that the following sessions call, and a ticket line that any machine can make again.
#
# **Measured:** how many different answers each of them gives to one question, over twelve orders of the documents and twelve interpreters. The two that went
# wrong stand beside them.

# %% tags=["given"]
def shuffled(items, seed):
    """The same items in an order that depends on the seed alone."""
    return sorted(items, key=lambda item: crc32(f"{seed}{item}".encode()))


Answers(
    in_file_order=lambda seed: in_file_order("tools", documents=shuffled(DOCUMENTS, seed)),
    list_documents=lambda seed: list_documents("tools", documents=shuffled(DOCUMENTS, seed)),
    careless_ticket=lambda seed: careless_ticket(**disk, **interpreter(seed)),
    open_ticket=lambda seed: open_ticket(**disk, **interpreter(seed)),
)

# %% [markdown]
# And the two tools as a program calls them, by name, with a request that is refused:

# %% tags=["given"]
tools = {"list_documents": list_documents, "convert_currency": convert_currency}
requests = [
    {"tool": "list_documents", "args": {"tag": "retrieval"}},
    {"tool": "convert_currency", "args": {"amount": 100, "source": "USD", "target": "EUR"}},
    {"tool": "convert_currency", "args": {"amount": 100, "source": "USD", "target": "eur"}},
]

compare(
    lambda: [outcome(tools[request["tool"]], **request["args"]) for request in requests],
    [
        ["rag-basics"],
        "100 USD = 92.00 EUR",
        "refused: convert_currency: unknown currency 'eur' (have: AUD, CHF, EUR, GBP, JPY, SEK, USD)",
    ],
)

# %% [markdown]
# **Not proved:** that a result is true. With a wrong rate the converter is wrong, exactly and every time:

# %% tags=["given"]
compare(
    lambda: convert_currency(amount=100, source="USD", target="EUR", rates={**RATES, "EUR": Decimal("9.2")}),
    "100 USD = 920.00 EUR",
)

# %% [markdown]
# Nor that the three of `interpreter` are all that differs from one Python to the next. Files, the network, the order in which a folder is listed: whatever a
# tool reads without having been handed it can change under it.
#
# **Next**, session 2, is about the other side of the contract: how a caller that cannot read your code learns which arguments a tool takes, and what keeps a
# wrong argument from reaching it. It begins with the course's own version of what you have just written:
#
# ```python
# from course.corpus import convert_currency, list_documents
# ```
