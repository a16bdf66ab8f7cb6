# %% [markdown]
# # 3 · A model is a callable
#
# **You will build** a model that follows a script, the decision that it makes, a parser for decisions that come as text, and one name for what a run is
# given.
#
# **You need** Python: functions, classes, dataclasses, JSON. No key, no network, no earlier session; what is used of them is explained where it comes up.
#
# **Minutes** about 75.

# %%
from grader import check, compare, hint, solution

# %% [markdown]
# ## What goes into a model, and what comes out
#
# A **tool** is a function that a program may call on somebody's behalf. A language model cannot call it: it only writes. So it is shown a **manifest**, a
# list that says of each tool what it is called, what it does and which arguments it takes, and it writes down which tool it wants.

# %% tags=["given"]
from course import corpus

manifest = [
    {
        "name": "list_documents",
        "description": "Lists the ids of the documents that carry a tag.",
        "schema": {"type": "object", "properties": {"tag": {"type": "string"}}, "required": ["tag"]},
    }
]
tools = {"list_documents": corpus.list_documents}

print(tools["list_documents"](tag="retrieval"))

# %% [markdown]
# What it writes is a **reply**: a text, and the tools that it asks for, none or several. `@dataclass(frozen=True)` makes a class of fields whose objects
# cannot be changed afterwards.

# %% tags=["given"]
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class ToolCall:
    """One tool asked for: its name, and its arguments by name."""

    name: str
    args: dict = field(default_factory=dict)


@dataclass(frozen=True)
class ModelReply:
    """What a model says in one turn, and the tools that it asks for, in order."""

    text: str
    tool_calls: tuple = ()


print(ModelReply("Let me look.", (ToolCall("list_documents", {"tag": "retrieval"}),)))

# %% [markdown]
# What the model reads is a list of **messages**: what the user, the model and the tools have said so far. That is all there is to it. For the rest of this
# course a model is *anything that can be called with messages and a manifest and returns a reply*. Behind it may be a service, or three lines of Python.

# %% tags=["given"]
def shy_model(messages, manifest):
    """A model that knows one sentence."""
    return ModelReply(f"Messages read: {len(messages)}. Tools shown: {len(manifest)}.")


print(shy_model([{"role": "user", "content": "Which documents cover retrieval?"}], manifest))

# %% [markdown]
# A **loop** calls the model, writes its reply into the list, runs the tools that it asks for, writes their results into the list, and calls it again. The
# list grows, and the loop alone adds to it.
#
# ![The list of messages over two turns. Before turn 1 it holds the user's question. The model is called with it and asks for list_documents. The loop adds the model's reply and the tool's result, three messages now. The model is called again, with all three, and answers. The loop adds the answer: four messages. The model is drawn beside the list, with an arrow from the list and one back to the loop, and none to the list.](pictures/ch03-messages.svg)

# %% tags=["given"]
def converse(model, task, most_turns=5):
    """Call the model and the tools that it asks for until it asks for none; return the messages."""
    messages = [{"role": "user", "content": task}]
    for _ in range(most_turns):
        reply = model(messages, manifest)
        messages.append({"role": "assistant", "content": reply.text})
        for call in reply.tool_calls:
            messages.append({"role": "tool", "content": str(tools[call.name](**call.args))})
        if not reply.tool_calls:
            break
    return messages


question = "Which documents cover retrieval?"
for message in converse(shy_model, question):
    print(f"{message['role']:<10}{message['content']}")

# %% [markdown]
# ## 1 · A model that follows a script
#
# A course on a hosted model named the model in its notebooks. In April 2026 that model was retired, and the first call of every notebook failed. One cell
# was meant to show an error; it shows none any more, because the service has changed what it accepts
# ([anthropics/courses #181](https://github.com/anthropics/courses/issues/181)).
#
# A model that is to test a loop must say the same thing every time. So its replies are written down beforehand, in a **script**. That sounds too easy to go
# wrong.

# %% tags=["given"]
class ScriptExhaustedError(RuntimeError):
    """A scripted model was called once more than its script has replies."""


class CarelessModel:
    """Follows a script, roughly."""

    def __init__(self, replies):
        self.replies = replies

    def __call__(self, messages, manifest):
        reply = self.replies.pop(0) if self.replies else ModelReply("Anything else?")
        messages.append({"role": "assistant", "content": reply.text})
        return reply


def looking_up():
    """A script of two replies: look the question up, then answer it."""
    return [
        ModelReply("I ask the index.", (ToolCall("list_documents", {"tag": "retrieval"}),)),
        ModelReply("rag-basics covers retrieval."),
    ]


script = looking_up()
careless, second = CarelessModel(script), CarelessModel(script)
print("its messages:    ", [m["content"] for m in converse(careless, question)])
print("left of the list:", script)
print("the second model:", second([], manifest).text)

# %% [markdown]
# Three faults in two lines. The replies stand in the list twice, because the model wrote into a list that belongs to the loop. The script is empty, because
# it belonged to somebody else as well. And the second model says something that nobody wrote, so a loop that asks once too often goes unnoticed.
#
# **You write** `ScriptedModel(replies)`, whose objects are models:
#
# - `model(messages, manifest)` returns the replies of the list in order, one a call. What it is called with, whatever that is, is neither read nor
#   changed.
# - Called again after its last reply, and at every call after that, it raises `ScriptExhaustedError` with the number of replies in its text.
# - A reply may be any value, also an empty one or `None`: the model does not look into it.
# - The script is the model's own. Two models of one list do not disturb each other; the list that was handed in is not changed, and changing it later, or a
#   reply in it, changes no model.
# - What a caller does with a reply that it was given does not reach the script: hand out copies, at every level (`copy.deepcopy`).
# - `model.fresh()` returns another model with the same script, at its beginning. The first one stays where it is.
#
# **Don't change** `ScriptExhaustedError` and the names of the methods.
#
# **Done when** the check has run scripts of its own, and found its lists as they were.

# %% tags=["answer"] exercise="ch03-e1"
from copy import deepcopy


class ScriptedModel:
    """`(messages, manifest) -> reply`, from a script."""

    def __init__(self, replies):
        ### BEGIN SOLUTION
        self._replies = deepcopy(list(replies))
        self._used = 0
        ### END SOLUTION

    def __call__(self, messages, manifest):
        ### BEGIN SOLUTION
        if self._used == len(self._replies):
            raise ScriptExhaustedError(f"the script has {len(self._replies)} replies and was asked for one more")
        self._used += 1
        return deepcopy(self._replies[self._used - 1])
        ### END SOLUTION

    def fresh(self):
        """The same script, from its beginning."""
        ### BEGIN SOLUTION
        return ScriptedModel(self._replies)
        ### END SOLUTION

# %% [markdown]
# Yours beside what it should be, before anyone judges it. These cells run even while the stub raises.

# %% tags=["demo"] exercise="ch03-e1"
compare(
    lambda: [m["content"] for m in converse(ScriptedModel(looking_up()), question)],
    [question, "I ask the index.", "['rag-basics']", "rag-basics covers retrieval."],
)

# %% tags=["demo"] exercise="ch03-e1"
def fresh_again():
    """What a model says after it was used, and what `fresh()` of it says."""
    used = ScriptedModel(looking_up())
    used([], manifest)
    return {"fresh_says": used.fresh()([], manifest).text, "it_goes_on_with": used([], manifest).text}


compare(fresh_again, fresh_says="I ask the index.", it_goes_on_with="rag-basics covers retrieval.")

# %% tags=["check"] exercise="ch03-e1"
check("ch03-e1", ScriptedModel)

# %% [markdown]
# ## 2 · One call or one answer
#
# An agent loop for Scala was to end when a reply asked for no tool *and had a text that was not empty*. A reviewer let a model answer with an empty text. The
# loop asked again, four paid turns in all, and reported that there was no answer ([softwaremill/sttp-ai #479](https://github.com/softwaremill/sttp-ai/pull/479)).
#
# The empty text was the answer. The same slip is one word long in Python, because `if answer:` asks whether a text is empty, and not whether there is one.

# %% tags=["given"]
def next_step(tool_call, answer):
    """Reads a decision with `if`."""
    if answer:
        return f"answer {answer!r}"
    if tool_call:
        return f"call {tool_call.name}"
    return "ask the model again"


look = ToolCall("list_documents", {"tag": "retrieval"})
for tool_call, answer in ((look, None), (None, "rag-basics."), (None, ""), (look, "All done."), (None, None)):
    print(f"{'a call' if tool_call else 'no call':<8} answer={answer!r:<14} -> {next_step(tool_call, answer)}")

# %% [markdown]
# The third line asks again after an answer. The fourth drops a call that the model wanted made. The fifth goes on for ever if the model does.
#
# A **decision** is one step of a loop that takes one at a time: a thought, and *either* a call *or* an answer. What is neither, or both, should not come into
# being at all; then no loop has to ask.
#
# **You write** `__post_init__`, which runs when the fields of a new `Decision` are set. It raises `ValueError`
#
# - with the word `both`, in lower case, somewhere in its text, where there are a call and an answer;
# - with the word `neither`, in lower case too, where there is none of the two.
#
# *There* means `is not None`, on both sides: `""` is an answer, and an empty value in place of a call is a call. Otherwise it refuses nothing and
# changes nothing, and a decision that was made stays what it was.
#
# **Don't change** the three fields, their order, and `frozen=True`.
#
# **Done when** each of the four combinations is either a decision or a `ValueError`.

# %% tags=["answer"] exercise="ch03-e2"
@dataclass(frozen=True)
class Decision:
    """One decision: a thought, and exactly one of a tool call and an answer."""

    thought: str
    tool_call: ToolCall | None = None
    answer: str | None = None

    def __post_init__(self):
        ### BEGIN SOLUTION
        if self.tool_call is not None and self.answer is not None:
            raise ValueError("a decision is a tool call or an answer, got both")
        if self.tool_call is None and self.answer is None:
            raise ValueError("a decision is a tool call or an answer, got neither")
        ### END SOLUTION

# %% tags=["demo"] exercise="ch03-e2"
def refused(**fields):
    """Whether a decision with these fields is refused."""
    try:
        Decision("I think.", **fields)
    except ValueError:
        return "refused"
    return "a decision"


compare(
    lambda: {
        "a_call": refused(tool_call=look),
        "an_empty_answer": refused(answer=""),
        "both": refused(tool_call=look, answer=""),
        "neither": refused(),
    },
    a_call="a decision",
    an_empty_answer="a decision",
    both="refused",
    neither="refused",
)

# %% tags=["check"] exercise="ch03-e2"
check("ch03-e2", Decision)

# %% [markdown]
# ## 3 · What the model says and what it makes up
#
# A widely used course on agents lets a model write its steps as text. In one printed reply the model does not stop where the tool should run: it writes the
# line `Observation:` itself, with a result that no function returned, and answers from it. A learner asked where the invention was; it looked like every
# other line ([huggingface/agents-course #412](https://github.com/huggingface/agents-course/issues/412)).
#
# Such a reply has lines that begin with a label. `Thought`, `Action` and `Answer` are the model's. An **observation** is what a tool returned, so the loop
# writes it, and one that stands in a reply is made up.

# %% tags=["given"]
made_up = """\
Thought: the index will know.
Action: {"tool": "list_documents", "args": {"tag": "retrieval"}}
Observation: ['rag-basics', 'vector-stores']
Thought: two documents, then.
Answer: rag-basics and vector-stores cover retrieval."""


def believe(text):
    """Takes the last thing that the model says."""
    return text.rpartition("Answer:")[2].strip()


print("believed:     ", believe(made_up))
print("the tool says:", corpus.list_documents("retrieval"))

# %% [markdown]
# ![The reply above, line by line. The first two lines, Thought and Action, are the model's own and are kept. A line is drawn before Observation; everything below it is struck out: the observation, because only a tool can make one, and the thought and the answer after it, because they rest on it.](pictures/ch03-reply.svg)
#
# A line that begins with one of the four labels, spelled so and with its colon, begins a **part**, which goes up to the next such line. Blanks may stand before
# the label; a label further on in a line is text. Two helpers do the dull work: `labelled` cuts a text into its parts, and `strict_json` reads one JSON value,
# with or without a Markdown fence around it.

# %% tags=["given"]
import json
import re

LABEL = re.compile(r"^[ \t]*(Thought|Action|Observation|Answer):[ \t]*", re.MULTILINE)
FENCE = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n[ \t]*```\s*", re.DOTALL)


class ReplyError(ValueError):
    """A text reply that is not one decision."""


def labelled(text):
    """[(label, content), ...] in order; a content goes up to the next line that begins with a label."""
    parts = LABEL.split(text)
    return [(label, content.strip()) for label, content in zip(parts[1::2], parts[2::2])]


def no_key_twice(pairs):
    """The pairs of one JSON object as a dict."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def no_constant(name):
    """NaN and the infinities, which Python reads and JSON does not know."""
    raise ValueError(f"{name} is no JSON number")


def strict_json(text):
    """The value of a JSON text. Raises ValueError for everything else, and for a key that is there twice."""
    fenced = FENCE.fullmatch(text)
    bare = fenced[1] if fenced else text
    try:
        return json.loads(bare, object_pairs_hook=no_key_twice, parse_constant=no_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None


for label, content in labelled(made_up):
    print(f"{label:<12}{content}")
print(strict_json('```json\n{"tool": "list_documents", "args": {}}\n```'))

# %% [markdown]
# **You write** `parse_reply(text)`. It returns the one `Decision` that the model's own words hold:
#
# - Everything from the first `Observation:` part on is dropped, and so is what stands before the first part.
# - Of what is left, exactly one part is an `Action:` or an `Answer:`.
# - An answer becomes `Decision(thought, answer=…)`, with its whole part but for the label; it may be empty.
# - An action becomes `Decision(thought, tool_call=ToolCall(name, args))`. Behind its label stands one JSON object with exactly the keys `tool`, a text, and
#   `args`, an object. It may go over several lines, and stand in a fence, which may say `json` or not. What `strict_json` refuses is no JSON: NaN, the
#   infinities, a key twice at any level, a comma too many, a comment, brackets by the thousand. The name stays to the letter, also an empty one.
# - The thought is the first `Thought:` part that is left, wherever it stands, and `""` where there is none. JSON in a thought is part of the thought.
# - Blanks and line breaks around a thought or an answer do not belong to it; those inside do.
# - Everything else is refused with `ReplyError`: no action and no answer, more than one of them, an action that is not such JSON. The reply is data: no part
#   of it is ever run.
#
# **Don't change** `ReplyError`, `ToolCall` and your `Decision`. The helpers are yours to use or not.
#
# **Done when** a made-up observation changes nothing.

# %% tags=["answer"] exercise="ch03-e3"
def parse_reply(text):
    """The decision that a model wrote as text."""
    ### BEGIN SOLUTION
    own = []
    for label, content in labelled(text):
        if label == "Observation":
            break
        own.append((label, content))
    thought = next((content for label, content in own if label == "Thought"), "")
    decided = [(label, content) for label, content in own if label != "Thought"]
    if len(decided) != 1:
        raise ReplyError(f"expected one line that begins with Action: or Answer:, got {len(decided)}")
    label, content = decided[0]
    if label == "Answer":
        return Decision(thought, answer=content)
    try:
        action = strict_json(content)
    except ValueError as error:
        raise ReplyError(f"expected one JSON object after Action: ({error})") from error
    if not isinstance(action, dict) or action.keys() != {"tool", "args"}:
        raise ReplyError('expected an action with exactly the keys "tool" and "args"')
    if not isinstance(action["tool"], str) or not isinstance(action["args"], dict):
        raise ReplyError('expected "tool" to be a string and "args" to be an object')
    return Decision(thought, tool_call=ToolCall(action["tool"], action["args"]))
    ### END SOLUTION

# %% tags=["demo"] exercise="ch03-e3"
compare(
    lambda: asdict(parse_reply(made_up)),
    thought="the index will know.",
    tool_call={"name": "list_documents", "args": {"tag": "retrieval"}},
    answer=None,
)

# %% tags=["demo"] exercise="ch03-e3"
def verdict(text):
    """What becomes of a reply."""
    try:
        return "an answer" if parse_reply(text).tool_call is None else "a call"
    except ReplyError:
        return "refused"


compare(
    lambda: {
        "answer": verdict("Thought: easy.\nAnswer: 42"),
        "python_dict": verdict("Action: {'tool': 'list_documents', 'args': {}}"),
        "both": verdict('Action: {"tool": "list_documents", "args": {}}\nAnswer: 42'),
    },
    answer="an answer",
    python_dict="refused",
    both="refused",
)

# %% tags=["check"] exercise="ch03-e3"
check("ch03-e3", parse_reply)

# %% [markdown]
# ## 4 · One name for one run
#
# A workflow tool kept the answers of models, each under a hash of what was asked: the prompt, the model, the schema of the answer. The temperature and the limit
# on output were not in it. Whoever changed one of them got the old answer back, marked as a success, and no model was called
# ([openclaw/lobster #129](https://github.com/openclaw/lobster/issues/129)).
#
# A scripted run is given four things that can be written down: the task, the script, the manifest, and the **budgets**, which limit how far it may go. One name
# for all four, a **fingerprint**, tells whether two runs were given the same. Where could it come from?

# %% tags=["given"]
budgets = {"max_turns": 5, "max_tokens": 1000}
turned = {"max_tokens": 1000, "max_turns": 5}

print("the same budgets:", budgets == turned, "  the same str:", str(budgets) == str(turned))
print("the same values: ", {"n": 1} == {"n": 1.0} == {"n": True}, "  written out:", 1, 1.0, True)
print("JSON keeps apart:", json.dumps([1, 1.0, True]))
print("an address:      ", "0x" in str(object()))

# %% [markdown]
# `str` takes the same dict for two, `==` takes three values for one, and an object's text holds its address, which is another one tomorrow. JSON with sorted
# keys gets it right: one text for one value. Such a text is called *canonical*. Its hash is short, and the same on every machine.

# %% tags=["given"]
import hashlib

canonical = '{"max_tokens":1000,"max_turns":5}'
print(hashlib.sha256(canonical.encode("utf-8")).hexdigest())


def as_data(replies):
    """A script of `ModelReply` as plain JSON data, with lists in place of tuples."""
    return [{**asdict(reply), "tool_calls": [asdict(call) for call in reply.tool_calls]} for reply in replies]


print(as_data(looking_up())[1])

# %% [markdown]
# **You write** `fingerprint(task, script, manifest, budgets)`. All four are values that JSON can hold; `script` is a list of dicts, as `as_data` makes it.
#
# - It returns the SHA-256, in hex as above, of one text in UTF-8: the JSON of an object with the keys `task`, `script`, `manifest` and `budgets`.
# - In that text the keys are sorted at every level, no blank stands behind `,` or `:`, and a letter such as `ü` stands as itself, not as an escape.
# - A value that JSON cannot hold (a set, a function, bytes, NaN, an infinity), or a key such as a tuple, is refused with `TypeError` or `ValueError`.
# - Texts go in to the letter, empty parts as they are, and what was handed over is not changed.
#
# So the order of keys makes no other name, and `1`, `1.0` and `true` make three.
#
# **Don't change** the names and the order of the parameters.
#
# **Done when** your name for a run is the one that everybody else gets.

# %% tags=["answer"] exercise="ch03-e4"
def fingerprint(task, script, manifest, budgets):
    """64 hex digits that name what a scripted run is given."""
    ### BEGIN SOLUTION
    parts = {"task": task, "script": script, "manifest": manifest, "budgets": budgets}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
    ### END SOLUTION

# %% tags=["demo"] exercise="ch03-e4"
compare(
    lambda: fingerprint(question, as_data(looking_up()), manifest, budgets),
    "660d8d7a15427d4046935aa50be2cb7be1dcfe8fadcf99e9e2c493440ff8bde4",
)

# %% tags=["demo"] exercise="ch03-e4"
def same_name(*others):
    """Whether the run keeps its name with these budgets in place of ours."""
    ours = fingerprint(question, as_data(looking_up()), manifest, budgets)
    return [fingerprint(question, as_data(looking_up()), manifest, other) == ours for other in others]


more, as_float = {"max_turns": 6, "max_tokens": 1000}, {"max_turns": 5.0, "max_tokens": 1000}
compare(
    lambda: {
        "same_name": same_name(turned, more, as_float),
        "names_of_three_values": len({fingerprint(question, [], [], {"max_turns": most}) for most in (1, 1.0, True)}),
    },
    same_name=[True, False, False],
    names_of_three_values=3,
)

# %% tags=["check"] exercise="ch03-e4"
check("ch03-e4", fingerprint)

# %% [markdown]
# ## What you have
#
# **Built:** a scripted model, a decision that is always one thing, a parser that drops what a model makes up, and a fingerprint of what a run is given.
#
# **Measured:** all of it together. The loop below asks a scripted model that writes text, parses each reply, and runs the call that was decided on. The
# model makes up an observation of two documents. The tool is called once, and the loop goes on with what the tool said.

# %% tags=["given"]
texts = [made_up, "Thought: the index has answered.\nAnswer: rag-basics covers retrieval."]


def decide(model, task, most_turns=5):
    """Take one decision a turn until one is an answer; return the answer and what the tools returned."""
    messages, seen = [{"role": "user", "content": task}], []
    for _ in range(most_turns):
        text = model(messages, manifest)
        decision = parse_reply(text)
        if decision.answer is not None:
            return decision.answer, seen
        seen.append(tools[decision.tool_call.name](**decision.tool_call.args))
        own = re.split(r"(?m)^[ \t]*Observation:", text)[0]
        messages.append({"role": "assistant", "content": own})
        messages.append({"role": "tool", "content": str(seen[-1])})
    return None, seen


def measured():
    """Two runs of one script, their results and their names."""
    model = ScriptedModel(texts)
    answer, seen = decide(model, question)
    names = {fingerprint(question, texts, manifest, {"most_turns": 5}) for _ in range(2)}
    return {
        "answer": answer,
        "seen": seen,
        "second_run_equal": decide(model.fresh(), question) == (answer, seen),
        "names_of_two_runs": len(names),
    }


compare(
    measured,
    answer="rag-basics covers retrieval.",
    seen=[["rag-basics"]],
    second_run_equal=True,
    names_of_two_runs=1,
)

# %% [markdown]
# **Not proved:** that a real model would say what the script says. A script reads nothing, so it cannot react. Below, the index has lost its documents, and
# the scripted answer stays as confident as before. A script tests the loop around a model, never the model. Nor does an equal fingerprint prove an equal run:
# the run below keeps its name, because what a tool does is not in it.

# %% tags=["given"]
def with_an_empty_index():
    """The run of before, over an index that finds nothing."""
    before = fingerprint(question, as_data(looking_up()), manifest, budgets)
    try:
        tools["list_documents"] = lambda tag: []
        messages = converse(ScriptedModel(looking_up()), question)
    finally:
        tools["list_documents"] = corpus.list_documents
    after = fingerprint(question, as_data(looking_up()), manifest, budgets)
    return {"tool": messages[-2]["content"], "answer": messages[-1]["content"], "same_name": before == after}


compare(with_an_empty_index, tool="[]", answer="rag-basics covers retrieval.", same_name=True)

# %% [markdown]
# **Next**, session 4, looks at the moment when a tool cannot do what it was asked: what it says, to whom, and what it must not say. The course's own versions
# of what you have just written, used from here on:
#
# ```python
# from course.fingerprint import fingerprint
# from course.models import Decision, ModelReply, ScriptedModel, ToolCall, parse_reply
# ```
#
# That `fingerprint` takes replies as they are. `course.models` has a second scripted model as well, `FakeLLM`, for loops that ask for one `Decision` at a time.
