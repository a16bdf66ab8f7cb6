# %% [markdown]
# # 4 · ToolError
#
# **You will build** an error that says which tool could not do what, and what would have been accepted; the translation of failures into it; the one function
# through which every call goes; and a message that keeps its secrets.
#
# **You need** Python: functions, classes, exceptions. No key, no network, no earlier session; what is used of them is explained where it comes up.
#
# **Minutes** about 75.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## Who reads an error
#
# A **tool** is a function that a program calls because a language model has asked for it. The model is the one that reads what comes back, the result or the
# error, and decides what to do next. The person who wrote the tool reads errors as well, and needs something else from them.
#
# A small tool, and three ways in which it can fail. `DOCUMENTS` are short texts that come with the course.

# %% tags=["given"]
from course.data import DOCUMENTS, RATES

notes = {document.id: document.text for document in DOCUMENTS}
outage = False


def read_note(name):
    """The text of a note."""
    if outage:
        raise TimeoutError("10.0.0.7: no answer after 30 s")
    return notes[name]


def tried(run):
    """What a call gives: its result, or the error that came out of it."""
    try:
        return str(run())[:60]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print("a wrong name:", tried(lambda: read_note("rag")))
outage = True
print("an outage:   ", tried(lambda: read_note("rag-basics")))
outage = False
print("a mistake:   ", tried(lambda: read_note(["rag-basics"])))

# %% [markdown]
# | what happened | who can do something | what they need |
# |---|---|---|
# | the arguments are wrong | the model | which tool, what was wrong, what there is |
# | what the tool depends on is gone | the model, by doing without | which tool, and that it is gone |
# | a mistake in the program | the person who wrote it | the exception itself, loud and unchanged |
#
# The first two get a class of their own, **`ToolError`**. It says: *your arguments or my dependency, and no mistake in the program*. A loop may catch it and
# go on. Anything else is a **defect**, and a loop that catches defects hides them.
#
# ![Three things that can go wrong in a tool and where they go. Wrong arguments and a dependency that is gone become a ToolError, whose message goes to the model. A defect, such as a KeyError or a TypeError, goes past the loop to the developer. From the ToolError a dotted line, its cause, leads to the developer too.](pictures/ch04-readers.svg)

# %% [markdown]
# ## 1 · An error that names its tool
#
# A model kept a to-do list with a tool that wanted `todos`. It sent `items`. What it got back was, all of it, `Error: Argument parsing failed.` It sent the
# same call again, byte for byte, four times in eight minutes, and the list was never finished
# ([microsoft/agent-framework #7222](https://github.com/microsoft/agent-framework/issues/7222)).
#
# The program knew which tool it was, what it had been sent, and what it would have taken. It kept it to itself. Classes that Python has already do not help
# much either.

# %% tags=["given"]
class QuotingError(KeyError):
    """Shows its text in quotes, as every KeyError does, and is caught with the defects."""


class SlipperyError(BaseException):
    """Runs through every `except Exception`."""


class ForgetfulError(Exception):
    """Takes three values, and shows them as a tuple."""

    def __init__(self, tool, problem, options):
        super().__init__(tool, problem, options)


def slip():
    """A tool that refuses with the wrong class."""
    raise SlipperyError("read_note: no note 'rag'")


print(str(QuotingError("read_note: no note 'rag'")))
print(str(ForgetfulError("read_note", "no note 'rag'", ["rag-basics", "eval-basics"])))
try:
    print(tried(slip))
except BaseException as error:
    print(f"`except Exception` has not caught the {type(error).__name__}")

# %% [markdown]
# **You write** the class `ToolError(tool, problem=None, options=None)`. `str` of it is the message:
#
# | made with | message |
# |---|---|
# | `ToolError("read_note", "no note 'x'")` | `read_note: no note 'x'` |
# | `ToolError("read_note", "no note 'x'", ["b", "a"])` | `read_note: no note 'x' (have: a, b)` |
# | `ToolError("read_note", "no note 'x'", [])` | `read_note: no note 'x' (have: none)` |
# | `ToolError("read_note: the index is gone")` | `read_note: the index is gone` |
# | `ToolError("no note 'x'", options=["b", "a"])` | `no note 'x' (have: a, b)` |
#
# - Options are different texts, in a list, a tuple, a set, or a dict, whose keys count. All are shown, in the order of `sorted`, and the collection stays as
#   it was.
# - One text in place of a collection is a mistake of the caller: `TypeError`.
# - `except Exception` catches the class. Its bases among Python's own classes are `Exception`, `BaseException` and `object`, and no others.
# - `error.args` is a tuple that holds the finished message and nothing else; `Exception.__init__` sets it. `copy` and `pickle` make the error again from it.
#
# **Don't change** the names of the parameters.
#
# **Done when** five ways to make one give five readable messages.

# %% tags=["answer"] exercise="ch04-e1"
class ToolError(Exception):
    """Your arguments or my dependency; never a mistake in the program. The message is safe to show."""

    def __init__(self, tool, problem=None, options=None):
        ### BEGIN SOLUTION
        if isinstance(options, str):
            raise TypeError(f"options must be a collection of names, got one str; write [{options!r}]")
        message = tool if problem is None else f"{tool}: {problem}"
        if options is not None:
            message += f" (have: {', '.join(sorted(options)) or 'none'})"
        super().__init__(message)
        ### END SOLUTION

# %% [markdown]
# Yours beside what it should be, before anyone judges it. These cells run even while the stub raises.

# %% tags=["demo"] exercise="ch04-e1"
compare(
    lambda: {
        "no_options": str(ToolError("read_note", "no note 'x'")),
        "two_options": str(ToolError("read_note", "no note 'x'", {"b", "a"})),
        "whole_message": str(ToolError("read_note: the index is gone")),
        "args": ToolError("read_note", "no note 'x'", []).args,
    },
    no_options="read_note: no note 'x'",
    two_options="read_note: no note 'x' (have: a, b)",
    whole_message="read_note: the index is gone",
    args=("read_note: no note 'x' (have: none)",),
)

# %% tags=["demo"] exercise="ch04-e1"
def asked_for(name):
    """What a model learns from a note-reader that refuses with your class."""
    try:
        if name not in notes:
            raise ToolError("read_note", f"no note {name!r}", notes)
        return notes[name]
    except ToolError as error:
        return str(error)


compare(lambda: asked_for("rag"), f"read_note: no note 'rag' (have: {', '.join(sorted(notes))})")

# %% tags=["check"] exercise="ch04-e1"
check("ch04-e1", ToolError)

# %% [markdown]
# ## 2 · Expected failures, and all the others
#
# In April 2026 an agent wrote an e-mail after nine calls of its tools. All nine had failed, because a setting was wrong. Each failure had come back as a value,
# `{"error": …}`, which the framework took for a result. The e-mail was plausible and invented, every check was green, and the program ended with code 0
# ([gleanwork/glean-agent-toolkit #42](https://github.com/gleanwork/glean-agent-toolkit/issues/42)).
#
# Here is a service for exchange rates that can be away, slow, or wrongly written; and a tool that swallows all of it.

# %% tags=["given"]
def steady(code):
    """The units of a currency that one US dollar buys."""
    return RATES[code]


def away(code):
    """Nobody listens at the other end."""
    raise ConnectionRefusedError("10.0.0.7:443 refused the connection")


def slow(code):
    """Nobody answers."""
    raise TimeoutError("10.0.0.7:443 no answer after 30 s")


def mistaken(code):
    """Written by somebody who thought that codes are lower case: a defect."""
    return RATES[code.lower()]


def rate_or_text(code, service):
    """The rate of a currency, or a text about why there is none."""
    try:
        return service(code)
    except Exception as error:
        return f"error: {error}"


for service in (steady, away, slow, mistaken):
    print(f"{service.__name__:<9} 1 USD = {rate_or_text('EUR', service)} EUR")

# %% [markdown]
# Four lines that all look like results. The last one hides a mistake in the program, and the two in the middle tell the model an address inside the network.
#
# **You write** `live_rate(code, service)`. It calls `service(code)` once:
#
# | the service | `live_rate` |
# |---|---|
# | returns a rate, whatever it is | returns it as it is |
# | raises `ConnectionError`, of any kind | raises `ToolError`: `live_rate: the rate service cannot be reached` |
# | raises `TimeoutError`, of any kind | raises `ToolError`: `live_rate: the rate service did not answer in time` |
# | raises anything else, also an interrupt | lets it through: the same exception, and no copy |
#
# - The `ToolError` keeps what the service raised as its `__cause__`: `raise … from error`. The message goes to the model, the cause to you.
# - Each call asks anew. Nothing is kept from one to the next.
# - Both exceptions are kinds of `OSError`, and so are others, such as `PermissionError`, which belong to the last line of the table.
#
# **Don't change** `ToolError`.
#
# **Done when** two failures are translated and every other one crashes.

# %% tags=["answer"] exercise="ch04-e2"
def live_rate(code, service):
    """The rate that `service` gives for a currency; raises ToolError where the service is away or slow."""
    ### BEGIN SOLUTION
    try:
        return service(code)
    except ConnectionError as error:
        raise ToolError("live_rate", "the rate service cannot be reached") from error
    except TimeoutError as error:
        raise ToolError("live_rate", "the rate service did not answer in time") from error
    ### END SOLUTION

# %% tags=["demo"] exercise="ch04-e2"
def outcome(service):
    """What `live_rate` makes of a service: the error's class, its message and the class of its cause."""
    try:
        return f"{live_rate('EUR', service)}"
    except NotImplementedError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error} <- {type(error.__cause__).__name__}"


compare(
    lambda: {service.__name__: outcome(service) for service in (steady, away, slow, mistaken)},
    steady="0.92",
    away="ToolError: live_rate: the rate service cannot be reached <- ConnectionRefusedError",
    slow="ToolError: live_rate: the rate service did not answer in time <- TimeoutError",
    mistaken="KeyError: 'eur' <- NoneType",
)

# %% tags=["check"] exercise="ch04-e2"
check("ch04-e2", live_rate)

# %% [markdown]
# ### Beside it: a fence around files
#
# The same translation in a tool that you are given. `file_read` may read what lies under one folder, its root, and models ask for other things too. Three
# paths lead out: one with `..`; one into a sibling whose name begins alike; and one through a symbolic link inside the root. The second was open in a toolkit
# that compared paths as texts: `ws-secret` begins with `ws` ([SynapseKit/SynapseKit #1021](https://github.com/SynapseKit/SynapseKit/issues/1021)).

# %% tags=["given"]
import os.path
import tempfile
from pathlib import Path, PurePosixPath


def plain_read(root, path):
    """No fence at all."""
    return Path(root, path).read_text(encoding="utf-8")


def prefix_read(root, path):
    """Works off every `..`, and compares texts."""
    place = os.path.normpath(Path(root, path))
    if not place.startswith(str(root)):
        raise ToolError("prefix_read", f"{path!r} is outside")
    return Path(place).read_text(encoding="utf-8")


def file_read(root, path):
    """The text of the file `path` under `root`, with '/' between the parts of the path."""
    place = Path(root).resolve()
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or "\\" in path:
        raise ToolError("file_read", f"{path!r} must be relative and without '..'")
    for part in parts:
        place = place / part
        if place.is_symlink():
            raise ToolError("file_read", f"{path!r} goes through a link, and links may lead out")
    if not place.resolve().is_relative_to(Path(root).resolve()):  # drive letters and the like
        raise ToolError("file_read", f"{path!r} is outside")
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ToolError("file_read", f"{path!r} cannot be read ({type(error).__name__})") from error


with tempfile.TemporaryDirectory() as folder:
    root = Path(folder, "ws")
    for place in (root, Path(folder, "ws-secret"), Path(folder, "other")):
        place.mkdir()
        (place / "note.txt").write_text(f"read from {place.name}", encoding="utf-8", newline="\n")
    try:
        (root / "link").symlink_to(Path(folder, "other"))
    except (OSError, NotImplementedError):
        print("this system makes no links")
    for path in ("note.txt", "../other/note.txt", "../ws-secret/note.txt", "link/note.txt"):
        print(path)
        for read in (plain_read, prefix_read, file_read):
            print(f"   {read.__name__:<12}", tried(lambda: read(root, path)))
    print("absent.txt\n   file_read   ", tried(lambda: file_read(root, "absent.txt")))

# %% [markdown]
# Without a fence all three lead out, and one made of texts stops the first of them. `file_read` looks at every part of the path before it follows it. Of an
# error of the system it says what kind it was, and not its text, which holds paths of the machine.

# %% [markdown]
# ## 3 · Look up, judge, call
#
# A framework for evaluations caught every `TypeError` around a tool call, meant for models that pass the wrong arguments. A mistake *inside* a tool is often a
# `TypeError` too. It was sent to the model as if the model had been wrong, and nobody who could mend it heard of it
# ([UKGovernmentBEIS/inspect_ai #484](https://github.com/UKGovernmentBEIS/inspect_ai/issues/484)).
#
# A tool carries a **schema**, which says what its arguments must look like. `validate(args, schema, path)` returns what is wrong with them as a list of
# texts, empty where they fit. (Session 2 builds it; here it is given. `Tool` is the record of name, description, schema and function.)

# %% tags=["given"]
from course.schema import validate
from course.tool import Tool


def take_pages(note, pages, most=3):
    """The first pages of a note, taken off the list."""
    return [f"{note}:{pages.pop(0)}" for _ in range(min(most, len(pages)))]


def broken_sum(note):
    """A tool with a mistake in it."""
    return len(note) + "1"


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
properties = {"note": TEXT, "pages": {"type": "array", "items": NUMBER}, "most": NUMBER}
closed = {"type": "object", "additionalProperties": False}
pages_schema = {**closed, "properties": properties, "required": ["note", "pages"]}
note_schema = {**closed, "properties": {"note": TEXT}, "required": ["note"]}
tools = {
    "take_pages": Tool("take_pages", "Takes the first pages of a note.", pages_schema, take_pages),
    "broken_sum": Tool("broken_sum", "Adds.", note_schema, broken_sum),
}

print(validate({"note": "rag-basics", "pages": [1, 2]}, pages_schema, "$.take_pages"))
print(validate({"note": 7, "pages": [1, "2"], "deep": True}, pages_schema, "$.take_pages"))

# %% [markdown]
# `$.take_pages.pages[1]` is a **path**: from the tool into its arguments, down to the place that is wrong. And this is what comes of calling first and
# explaining afterwards:

# %% tags=["given"]
def eager_call(tools, name, args):
    """Calls, and takes every TypeError for a fault of the arguments."""
    try:
        return tools[name].fn(**args)
    except TypeError as error:
        return f"invalid arguments: {error}"


pages = [1, 2, 3]
print("missing:   ", eager_call(tools, "take_pages", {"note": "rag-basics"}))
print("its own:   ", eager_call(tools, "broken_sum", {"note": "rag-basics"}))
print("not a list:", tried(lambda: eager_call(tools, "take_pages", {"note": 7, "pages": "12"})))
print("fits:      ", eager_call(tools, "take_pages", {"note": "rag-basics", "pages": pages, "most": 2}))
print("           and the caller's list is now", pages)

# %% [markdown]
# The second line blames the model for a mistake in `broken_sum`. In the third the tool ran on arguments that it was never meant to see. In the last one the
# caller's own list has shrunk.
#
# ![The way of a call. It enters with a name and arguments. Look up: is there a tool of that name? If not, ToolError, no tool named. Judge: do the arguments fit its schema? If not, ToolError, invalid arguments. Both exits lie before a line marked: from here on the tool runs. Call: the tool gets a copy of the arguments. Whatever it returns or raises comes through as it is.](pictures/ch04-call.svg)
#
# **You write** `call_tool(tools, name, args)`, for a dict of `Tool` by name:
#
# 1. *Look up.* For a name that is not there it raises `ToolError` with the text `no tool named 'x' (have: a, b)`: the name as `repr` shows it, the others
#    sorted, `none` where there are none.
# 2. *Judge.* Where `validate(args, tool.schema, f"$.{name}")` finds anything, it raises `ToolError` with the text `invalid arguments: `, followed by everything
#    that was found, in the order of `validate`, joined with `; `. That holds for arguments that are no dict as well.
# 3. *Call.* Only then it calls `tool.fn` once, with the arguments by name, and returns what comes back, also when that is empty.
#
# - No tool is called before both questions are settled.
# - Whatever the tool raises, an interrupt too, comes through as it is: the same exception, no copy, nothing put behind it, and no second try. A `TypeError` or
#   `KeyError` in there is the tool's own.
# - The tool gets the arguments that were sent, no fewer and no more: `None` is passed on, and what was left out is not filled in, neither from the schema nor
#   from an earlier call. It gets a copy, at every level.
#
# **Don't change** `Tool` and `ToolError`.
#
# **Done when** the check's tools have counted no call for arguments that do not fit.

# %% tags=["answer"] exercise="ch04-e3"
from copy import deepcopy


def call_tool(tools, name, args):
    """Look the tool up, judge the arguments, and only then call."""
    ### BEGIN SOLUTION
    if name not in tools:
        raise ToolError(f"no tool named {name!r}", options=tools)
    faults = validate(args, tools[name].schema, f"$.{name}")
    if faults:
        raise ToolError(f"invalid arguments: {'; '.join(faults)}")
    return tools[name].fn(**deepcopy(args))
    ### END SOLUTION

# %% tags=["demo"] exercise="ch04-e3"
def told(name, **args):
    """What a call gives, or what its error says."""
    try:
        return call_tool(tools, name, args)
    except NotImplementedError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}"


compare(
    lambda: {
        "fits": told("take_pages", note="rag-basics", pages=[1, 2, 3], most=2),
        "no_such_tool": told("take_page", note="rag-basics"),
        "does_not_fit": told("take_pages", note=7),
        "its_own_mistake": told("broken_sum", note="rag-basics"),
    },
    fits=["rag-basics:1", "rag-basics:2"],
    no_such_tool="ToolError: no tool named 'take_page' (have: broken_sum, take_pages)",
    does_not_fit="ToolError: invalid arguments: $.take_pages.note: expected type string, got int; "
    "$.take_pages.pages: required, but missing",
    its_own_mistake="TypeError: unsupported operand type(s) for +: 'int' and 'str'",
)

# %% tags=["demo"] exercise="ch04-e3"
def list_after():
    """The caller's list after a call of a tool that takes pages off its own."""
    pages = [1, 2, 3]
    call_tool(tools, "take_pages", {"note": "rag-basics", "pages": pages})
    return pages


compare(list_after, [1, 2, 3])

# %% tags=["check"] exercise="ch04-e3"
check("ch04-e3", call_tool)

# %% [markdown]
# ## 4 · The reason without the secret
#
# When a tool failed, a widely used agent library put the text of the exception into what the model reads next, and into its traces. Such a text can hold
# whatever the failing code had at hand: an address, a customer's name, a key. Since September 2026 the library's default is one fixed sentence
# ([openai/openai-agents-python #5112](https://github.com/openai/openai-agents-python/pull/5112)).
#
# A fixed sentence is safe, and says nothing. Where the program knows its secrets, it can do better: keep the reason, and take the secrets out.

# %% tags=["given"]
key = "sk-Tide42Harbour"
failure = ConnectionError(f"https://rates.example/v1?key={key}: 401, the key expired on 3 May; X-KEY: {key.upper()}")


def everything(tool, error, secrets):
    """Shows the exception's own text."""
    return f"{tool}: {error}"


def nothing(tool, error, secrets):
    """Shows one fixed sentence."""
    return f"{tool}: an error occurred"


def half(tool, error, secrets):
    """Replaces each secret as it is spelled in the settings."""
    text = str(error)
    for secret in secrets:
        text = text.replace(secret, "[redacted]")
    return f"{tool}: {text}"


for explain in (everything, nothing, half):
    print(f"{explain.__name__:<11}", explain("live_rate", failure, [key]))

# %% [markdown]
# The first tells the key, the second hides that it has expired, and the third still tells the key, in capitals, as some program on the way has written it.
#
# **You write** `safe_error(tool, error, secrets)`. It returns, and does not raise, a `ToolError` that begins with `tool` and whose problem is `str(error)`,
# with `[redacted]` in place of every secret:
#
# - wherever it occurs, as often as it occurs, in upper case, lower case or both mixed. Secrets are ASCII, and none occurs in `tool` or in `[redacted]`;
# - as the text that it is: `.`, `+` or `$` in a secret stand for themselves;
# - the longer one first, where one secret contains another: of `sk-1-live` nothing may be left because `sk-1` is a secret too;
# - an empty secret is none, as it comes from a setting that is not there. `secrets` is a list, a tuple or a set, may be empty, and stays as it
#   was.
#
# Everything else in the text stays to the letter, line breaks too. No attribute of the error that you return holds a secret.
#
# **Don't change** `ToolError`.
#
# **Done when** the planted keys are gone and the reasons are still there.

# %% tags=["answer"] exercise="ch04-e4"
import re


def safe_error(tool, error, secrets):
    """A ToolError that gives the reason of `error` without any of `secrets`."""
    ### BEGIN SOLUTION
    text = str(error)
    known = sorted(filter(None, secrets), key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "[redacted]", text, flags=re.IGNORECASE)
    return ToolError(tool, text)
    ### END SOLUTION

# %% tags=["demo"] exercise="ch04-e4"
compare(
    lambda: str(safe_error("live_rate", failure, [key])),
    "live_rate: https://rates.example/v1?key=[redacted]: 401, the key expired on 3 May; X-KEY: [redacted]",
)

# %% tags=["check"] exercise="ch04-e4"
check("ch04-e4", safe_error)

# %% [markdown]
# ## What you have
#
# **Built:** `ToolError`, a tool that translates what it expects, `call_tool`, and a message without secrets.
#
# **Measured:** how many calls reach a tool, for each way in which a call can go.

# %% tags=["given"]
def calls_for(name, args):
    """(what came out, calls that reached the tool)"""
    reached = []

    def counted(note, pages):
        reached.append(note)
        if note == "gone":
            raise ToolError("counted", "the note is gone")
        return "read"

    watched = {"counted": Tool("counted", "Counts.", pages_schema, counted)}
    try:
        return call_tool(watched, name, args), len(reached)
    except ToolError as error:
        return str(error).partition(":")[0], len(reached)


compare(
    lambda: {
        "fits": calls_for("counted", {"note": "a", "pages": []}),
        "refused_by_the_tool": calls_for("counted", {"note": "gone", "pages": []}),
        "does_not_fit": calls_for("counted", {"note": "a"}),
        "unknown": calls_for("count", {"note": "a", "pages": []})[1],
    },
    fits=("read", 1),
    refused_by_the_tool=("counted", 1),
    does_not_fit=("invalid arguments", 0),
    unknown=0,
)

# %% [markdown]
# **Not proved:** that a message holds no secret. `safe_error` finds the secrets that it is told of, spelled as they are. In another encoding they pass. And the
# cause, which is for you, still has them: a traceback in a log shows both.

# %% tags=["given"]
from base64 import b64encode

encoded = b64encode(key.encode()).decode()


def raised_from(error):
    """What the model reads of an error, and what a log shows of its cause."""
    try:
        raise safe_error("live_rate", error, [key]) from error
    except ToolError as refusal:
        return {"message": str(refusal), "cause": str(refusal.__cause__)}


compare(
    lambda: raised_from(RuntimeError(f"sent {key}, which is {encoded}")),
    message=f"live_rate: sent [redacted], which is {encoded}",
    cause=f"sent {key}, which is {encoded}",
)

# %% [markdown]
# **Next**, session 5, builds the loop around the calls. It catches `ToolError` and nothing wider, ends the run there, and says in one sentence which tool went
# away. It begins with the course's own versions of what you have just written:
#
# ```python
# from course.calls import call_tool
# from course.errors import ToolError
# ```
#
# That `call_tool` takes a registry in place of the dict, names at most ten faults, and also refuses arguments and results that JSON cannot hold.
