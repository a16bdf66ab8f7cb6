"""Session 3, a model is a callable: scripts, decisions, text replies, and one name for what a run is given."""

import json
from decimal import Decimal

from course.fingerprint import fingerprint
from grader.engine.exercise import Session
from grader.engine.expect import expect, expect_raises
from grader.engine.student import Student
from grader.engine.world import World

session = Session(
    "ch03", "A model is a callable", builds=("course.models", "course.fingerprint"), gives=("course.errors",)
)

ONE_DECISION = "a reply that is not one decision must not become one by guessing"

TO_THE_LETTER = "what the model said stays to the letter"


# ---------------------------------------------------------------------------------------------------------------- e1
e1 = session.exercise(
    "ch03-e1",
    "A model that follows a script",
    provides=["ScriptedModel"],
    hints=[
        "What must a model remember between two calls, and what else does it know that it had better not look at?",
        "The list that you are given belongs to somebody else. What happens to it, and to its replies, after you have "
        "been built?",
        "`fresh()` starts from the script, so the script must still be whole when it is called: count, do not remove.",
    ],
)


@e1.case("replies come in the order of the script, once each")
def in_order(student: Student, world: World) -> None:
    script = world.replies(world.number(3, 5))
    model = student.ScriptedModel.kept(script)
    for reply in script:
        expect(model(world.messages(), [])).equals(reply, because="a script is followed, whatever was said before")


@e1.case("after the last reply it raises, and says how many there were")
def runs_out(student: Student, world: World) -> None:
    count = world.number(2, 5)
    model = student.ScriptedModel.kept(world.replies(count))
    for _ in range(count):
        model(world.messages(), [])
    for _ in range(world.number(5, 15)):
        with expect_raises(
            RuntimeError,
            named="ScriptExhaustedError",
            saying=[str(count)],
            because="a loop that asks once too often must be noticed, and a reply that nobody wrote would hide it",
        ):
            model(world.messages(), [])
    empty = student.ScriptedModel.kept([])
    with expect_raises(RuntimeError, named="ScriptExhaustedError", saying=["0"]):
        empty(world.messages(), [])


@e1.case("a reply may be any value, also an empty one")
def falsy_replies(student: Student, world: World) -> None:
    script: list[object] = world.rng.sample(["", None, 0, [], False, {}], 4)
    model = student.ScriptedModel.kept(script)
    for reply in script:
        expect(model(world.messages(), [])).equals(reply, because="an empty reply is a reply")


@e1.case("messages and manifest stay as they were", points=2)
def arguments_untouched(student: Student, world: World) -> None:
    said, shown = world.messages(), [{"name": world.name(), "description": world.words(), "schema": {"type": "object"}}]
    messages, manifest = student.hold(said), student.hold(shown)
    model = student.ScriptedModel.kept(world.replies(2))
    for _ in range(2):
        model(messages, manifest)
    expect(messages.copy()).equals(said, because="the list of messages is the loop's, and the loop alone adds to it")
    expect(manifest.copy()).equals(shown)


@e1.case("messages and manifest are not even read")
def arguments_unread(student: Student, world: World) -> None:
    script = world.replies(3)
    model = student.ScriptedModel.kept(script)
    calls: list[tuple[object, object]] = [(None, None), ((), 0), (world.word(), False)]
    for reply, (messages, manifest) in zip(script, calls, strict=True):
        expect(model(messages, manifest)).equals(
            reply, because="a script is followed, whatever was said: also nothing, and what is no list"
        )


@e1.case("two models of one script do not disturb each other, nor the list")
def own_place(student: Student, world: World) -> None:
    script = world.replies(3)
    held = student.hold(script)
    one, other = student.ScriptedModel.kept(held), student.ScriptedModel.kept(held)
    for reply in script[:2]:
        expect(one(world.messages(), [])).equals(reply)
    expect(other(world.messages(), [])).equals(script[0], because="the place in the script is each model's own")
    expect(held.copy()).equals(script, because="the list belongs to the one who wrote it")
    held.method("reverse")
    held.item(0).method("clear")
    expect(one(world.messages(), [])).equals(
        script[2], because="a list that changes after the model was built, or a reply in it, does not change the script"
    )


@e1.case("`fresh()` is the same script at its beginning, and leaves the model where it was")
def fresh_start(student: Student, world: World) -> None:
    script = world.replies(3)
    model = student.ScriptedModel.kept(script)
    for reply in script[:2]:
        expect(model(world.messages(), [])).equals(reply)
    again = model.kept_method("fresh")
    expect(again(world.messages(), [])).equals(script[0])
    expect(model(world.messages(), [])).equals(script[2], because="`fresh()` makes another model and moves none")
    expect(again(world.messages(), [])).equals(script[1])
    for made in (model.kept_method("fresh"), again.kept_method("fresh"), model.kept_method("fresh")):
        expect(made(world.messages(), [])).equals(
            script[0], because="each `fresh()` is another model, which nobody has asked anything yet"
        )
    expect(again(world.messages(), [])).equals(script[2])


@e1.case("what a caller does with a reply does not reach the script")
def replies_are_copies(student: Student, world: World) -> None:
    script = world.replies(2)
    model = student.ScriptedModel.kept(script)
    reply = model.kept(world.messages(), [])
    reply.item("tool_calls").item(0).item("args").method("update", {"topic": "changed"})
    reply.method("clear")
    again = model.kept_method("fresh")
    expect(again(world.messages(), [])).equals(
        script[0], because="arguments that a tool has changed would be in the script for good"
    )


# ---------------------------------------------------------------------------------------------------------------- e2
e2 = session.exercise(
    "ch03-e2",
    "One call or one answer",
    provides=["Decision"],
    hints=[
        'What does Python think of `""` in an `if`, and which question did you mean to ask instead?',
        "There are four combinations of there and not there. How many of them are decisions?",
        "`__post_init__` runs after the fields are set. Compare both with None, and raise for two of the four.",
    ],
)


@e2.case("a call alone is a decision, and so is an answer alone")
def one_of_the_two(student: Student, world: World) -> None:
    thought, call, answer = world.words(), world.call(world.tool()), world.words()
    acts = student.Decision.kept(thought, tool_call=call)
    expect(acts.attribute("thought")).equals(thought)
    expect(acts.attribute("tool_call")).equals(call)
    expect(acts.attribute("answer")).is_none()
    for says in (student.Decision.kept(thought, answer=answer), student.Decision.kept(thought, None, answer)):
        expect(says.attribute("tool_call")).is_none()
        expect(says.attribute("answer")).equals(answer)
    acts = student.Decision.kept(thought, call)
    expect(acts.attribute("tool_call")).equals(call, because="the order of the fields is thought, call, answer")


@e2.case("an empty value in place of a call is a call")
def empty_call(student: Student, world: World) -> None:
    empty: list[object] = [{}, [], "", 0, False]
    for call in empty:
        acts = student.Decision.kept(world.words(), tool_call=call)
        expect(acts.attribute("tool_call")).equals(call, because="what is not None is there")
        expect(acts.attribute("answer")).is_none()


@e2.case("what was said stays to the letter, and there may be no thought")
def to_the_letter(student: Student, world: World) -> None:
    for thought in ("", "\n", f"  {world.words()}\n"):
        said = f"\t{world.words().upper()} \n\n {world.words()}  "
        says = student.Decision.kept(thought, answer=said)
        expect(says.attribute("thought")).equals(thought, because=TO_THE_LETTER)
        expect(says.attribute("answer")).equals(said, because=TO_THE_LETTER)
        acts = student.Decision.kept(thought, tool_call=world.call(world.tool()))
        expect(acts.attribute("thought")).equals(thought, because=TO_THE_LETTER)


@e2.case("an empty answer is an answer", points=2)
def empty_answer(student: Student, world: World) -> None:
    says = student.Decision.kept(world.words(), answer="")
    expect(says.attribute("answer")).equals("", because="an empty text was said, and nothing was not")
    expect(says.attribute("tool_call")).is_none()


@e2.case("both at once are refused")
def both(student: Student, world: World) -> None:
    call = world.call(world.tool())
    with expect_raises(ValueError, saying=["both"], because="nobody could say which of the two was meant"):
        student.Decision(world.words(), tool_call=call, answer=world.words())


@e2.case("both are refused also where one of them is empty")
def both_one_empty(student: Student, world: World) -> None:
    call = world.call(world.tool())
    with expect_raises(ValueError, saying=["both"], because="an empty answer beside a call is an answer beside a call"):
        student.Decision(world.words(), tool_call=call, answer="")
    with expect_raises(ValueError, saying=["both"], because="what is not None is there"):
        student.Decision(world.words(), tool_call={}, answer=world.words())


@e2.case("neither is refused")
def neither(student: Student, world: World) -> None:
    with expect_raises(ValueError, saying=["neither"], because="a step without a decision would be a turn for nothing"):
        student.Decision(world.words())
    with expect_raises(ValueError, saying=["neither"]):
        student.Decision(world.words(), tool_call=None, answer=None)


@e2.case("a decision stays what it was")
def does_not_change(student: Student, world: World) -> None:
    made = student.Decision.kept(world.words(), tool_call=world.call(world.tool()))
    with expect_raises(
        AttributeError, because="a decision that can be changed can be made to hold both, or neither, after the check"
    ):
        made.method("__setattr__", "answer", world.words())
    expect(made.attribute("answer")).is_none()


# ---------------------------------------------------------------------------------------------------------------- e3
e3 = session.exercise(
    "ch03-e3",
    "What the model says and what it makes up",
    provides=["parse_reply"],
    hints=[
        "Which of the four labels can a model not honestly write, and what does that say about everything behind it?",
        "Cut first, then count: how many actions and answers are left, and how many may there be?",
        "`strict_json` raises ValueError for what is no JSON. Which exception does your caller expect, and is a list "
        "of two, or an object without `args`, an action?",
    ],
)


@e3.case("an action becomes a call with its thought")
def action(student: Student, world: World) -> None:
    thought, name = world.words(), world.name()
    args = {"topic": world.word(), "n": world.number(1, 9), "deep": [1, 1.0, True, None, {"s": "a \"quoted\" 'text'"}]}
    text = f"Thought: {thought}\nAction: {json.dumps({'tool': name, 'args': args})}\n"
    made = student.parse_reply.kept(text)
    expect(made.attribute("thought")).equals(thought)
    expect(made.attribute("answer")).is_none()
    expect(made.kept_attribute("tool_call").attribute("name")).equals(name)
    expect(made.kept_attribute("tool_call").attribute("args")).equals(args)
    expect(made.type_name).equals("Decision", because="the loop is promised a Decision, not something with its fields")
    expect(made.kept_attribute("tool_call").type_name).equals("ToolCall", because="and in it a ToolCall")


@e3.case("the name of the tool stays to the letter, also an empty one")
def name_to_the_letter(student: Student, world: World) -> None:
    for name in (world.name().upper(), world.name().title(), f" {world.name()} ", "", "\n", f"Zürich.{world.word()}"):
        made = student.parse_reply.kept(f"Action: {json.dumps({'tool': name, 'args': {}})}")
        expect(made.kept_attribute("tool_call").attribute("name")).equals(
            name, because="whether there is such a tool is for whoever looks it up"
        )


@e3.case("an answer is its whole part, to the letter")
def answer(student: Student, world: World) -> None:
    thought = world.words()
    lines = f"{world.words()}\n\n    {world.words()}  \n\t{{{world.word()}:  {world.word()}}}\n\n\n{world.words()}"
    made = student.parse_reply.kept(f"Thought: {thought}\nAnswer: {lines}\n")
    expect(made.attribute("thought")).equals(thought)
    expect(made.attribute("tool_call")).is_none()
    expect(made.attribute("answer")).equals(lines, because=TO_THE_LETTER)
    expect(made.type_name).equals("Decision", because="the loop is promised a Decision, not something with its fields")
    for spaced in (f"\n\n  {lines}\n \t\n", f"   {lines}   "):
        made = student.parse_reply.kept(f"Answer:{spaced}")
        expect(made.attribute("answer")).equals(lines, because="blanks and line breaks around it do not belong to it")


@e3.case("the thought is the first one, all of it, wherever it stands")
def which_thought(student: Student, world: World) -> None:
    first = f"{world.words()}\n  {world.words()}\n\n{world.words()}"
    second, preamble, said = world.words(), world.words(), world.words()
    step = world.rng.choice([f"Answer: {said}", f'Action: {{"tool": "{world.name()}", "args": {{}}}}'])
    for text, thought in (
        (f"Thought: {first}\nThought: {second}\n{step}", first),
        (f"{step}\nThought: {first}\nThought: {second}", first),
        (f"Thought: {first}\n{step}\nThought: {second}", first),
        (f"Thought:\nThought: {second}\n{step}", ""),
        (f"{preamble}\nThought: {first}\n{step}", first),
        (f"{preamble}\n{step}", ""),
        (f"{step}\nObservation: {said}\nThought: {second}", ""),
        (f"Thought:\n\n {first} \n\n{step}\nObservation: {said}\nThought: {second}", first),
    ):
        expect(student.parse_reply.kept(text).attribute("thought")).equals(
            thought, because="the model's own first thought counts, and none that rests on what it made up"
        )


@e3.case("the thought may be missing, and an answer may be empty")
def little_said(student: Student, world: World) -> None:
    made = student.parse_reply.kept("Answer:")
    expect(made.attribute("answer")).equals("", because="an empty answer is an answer")
    expect(made.attribute("thought")).equals("")
    name = world.name()
    made = student.parse_reply.kept(f'Action: {{"tool": "{name}", "args": {{}}}}')
    expect(made.attribute("thought")).equals("")
    expect(made.kept_attribute("tool_call").attribute("args")).equals({})


@e3.case("an observation that the model wrote, and all behind it, is dropped", points=2)
def fabricated(student: Student, world: World) -> None:
    name, other = world.name(), world.name()
    asked = json.dumps({"tool": name, "args": {"topic": world.word()}})
    made_up = f"Observation: {world.words()}\nThought: now I know\nAnswer: {world.words()}"
    made = student.parse_reply.kept(f"Thought: I look it up.\nAction: {asked}\n{made_up}")
    because = "no tool has run yet, so the observation was made up, and the answer rests on it"
    expect(made.attribute("answer")).is_none(because=because)
    expect(made.kept_attribute("tool_call").attribute("name")).equals(name, because=because)
    second = f'Observation: {world.words()}\nAction: {{"tool": "{other}", "args": {{}}}}'
    made = student.parse_reply.kept(f"Action: {asked}\n{second}")
    expect(made.kept_attribute("tool_call").attribute("name")).equals(
        name, because="the second action was planned on an observation that no tool made"
    )
    for made_up in (f"Observation:{world.word()}", "Observation:", f" \tObservation:  {world.words()}"):
        made = student.parse_reply.kept(f"Action: {asked}\n{made_up}\n{world.words()}\nAnswer: {world.words()}")
        expect(made.kept_attribute("tool_call").attribute("name")).equals(name, because=because)


@e3.case("a reply that begins with an observation says nothing")
def observation_first(student: Student, world: World) -> None:
    with expect_raises(ValueError, named="ReplyError", because="everything in it rests on what no tool returned"):
        student.parse_reply(f"Observation: {world.words()}\nThought: that settles it.\nAnswer: {world.words()}")


@e3.case("a label inside a line is text")
def label_inside_a_line(student: Student, world: World) -> None:
    because = "only a line that begins with a label begins a part"
    said = f"{world.words()} Observation: {world.words()} Action: {world.words()}"
    expect(student.parse_reply.kept(f"Answer: {said}").attribute("answer")).equals(said, because=because)
    thought = f"no Answer: {world.words()}, and no Observation: either"
    made = student.parse_reply.kept(f"Thought: {thought}\nAnswer: {said}")
    expect(made.attribute("thought")).equals(thought, because=because)
    expect(made.attribute("answer")).equals(said)
    alike = ("observation: ", "OBSERVATION: ", "Observation ", "Observations: ", "action: ", "- Answer: ", "thought:")
    lines = "\n".join([world.words(), *(f"{one}{world.words()}" for one in world.rng.sample(alike, len(alike)))])
    made = student.parse_reply.kept(f"Thought: {lines}\nAnswer: {lines}")
    expect(made.attribute("answer")).equals(lines, because="a label is spelled like the label, and begins its line")
    expect(made.attribute("thought")).equals(lines)


@e3.case("neither one action nor one answer is refused")
def not_one_decision(student: Student, world: World) -> None:
    asked = f'Action: {{"tool": "{world.name()}", "args": {{}}}}'
    for text in (
        f"Thought: {world.words()}",
        world.words(),
        "",
        f"{asked}\n{asked}",
        f"Answer: {world.words()}\nAnswer: {world.words()}",
        f"{asked}\nAnswer: {world.words()}",
        f"Answer: {world.words()}\n{asked}",
    ):
        with expect_raises(ValueError, named="ReplyError", because=ONE_DECISION):
            student.parse_reply(text)


@e3.case("the JSON may go over several lines, and may stand in a fence")
def spread_out(student: Student, world: World) -> None:
    name, args = world.name(), {"topic": world.word(), "pages": [1, world.number(2, 9)]}
    spread = json.dumps({"tool": name, "args": args}, indent=2)
    for action_text in (f" {spread}", f"\n{spread}", f"\n```json\n{spread}\n```", f" ```\n{spread}\n```\n"):
        made = student.parse_reply.kept(f"Thought: {world.words()}\nAction:{action_text}\n")
        expect(made.kept_attribute("tool_call").attribute("name")).equals(name)
        expect(made.kept_attribute("tool_call").attribute("args")).equals(args)


@e3.case("JSON in the thought is a thought")
def json_in_the_thought(student: Student, world: World) -> None:
    name = world.name()
    thought = f'not {{"tool": "{world.name()}", "args": {{}}}} this time'
    made = student.parse_reply.kept(f'Thought: {thought}\nAction: {{"tool": "{name}", "args": {{}}}}')
    expect(made.attribute("thought")).equals(thought)
    expect(made.kept_attribute("tool_call").attribute("name")).equals(name)
    with expect_raises(ValueError, named="ReplyError", because="it is neither an action nor an answer"):
        student.parse_reply(f"Thought: {thought}")


@e3.case("an action is one JSON value and nothing else")
def not_json(student: Student, world: World) -> None:
    name = world.name()
    for action_text in (
        f"{{'tool': '{name}', 'args': {{}}}}",
        f'{{"tool": "{name}", "args": {{"n": 1 + 1}}}}',
        f'{{"tool": "{name}", "args": {{"n": None}}}}',
        f'dict(tool="{name}", args={{}})',
        f'{{"tool": "{name}", "args": {{}}}} and then the answer',
        f'{{"tool": "{name}", "args": {{"n": NaN}}}}',
        f'{{"tool": "{name}", "args": {{"n": Infinity}}}}',
        f'{{"tool": "{name}", "args": {{"n": [-Infinity]}}}}',
        f'{{"tool": "{name}", "tool": "{world.name()}", "args": {{}}}}',
        f'{{"tool": "{name}", "args": {{"n": 1, "n": 1}}}}',
        f'{{"tool": "{name}", "args": {{"n": [{{"m": 1, "m": 2}}]}}}}',
        f'{{"tool": "{name}", "args": {{}},}}',
        f'{{"tool": "{name}", "args": {{"n": [1, 2,]}}}}',
        f'{{"tool": "{name}", "args": {{}}}} // {world.words()}',
        f'{{"tool": "{name}", /* {world.words()} */ "args": {{}}}}',
        f'{{"tool": "{name}",\n# {world.words()}\n"args": {{}}}}',
        f'{{"tool": "{name}", "args": {{}}',
        f'{{"tool": "{name}"',
        "",
    ):
        with expect_raises(ValueError, named="ReplyError", because="a text of a model is data, never code to be run"):
            student.parse_reply(f"Action: {action_text}")


@e3.case("JSON that is nested too deep is refused as well")
def nested_too_deep(student: Student, world: World) -> None:
    deep = world.number(12_000, 15_000)
    for action_text in ("[" * deep, f'{{"tool": "{world.name()}", "args": ' + '{"n": ' * (deep // 5)):
        with expect_raises(ValueError, named="ReplyError", because="a long line of brackets must not end the program"):
            student.parse_reply(f"Action: {action_text}")


@e3.case("an action has a tool and its arguments, and nothing else")
def wrong_shape(student: Student, world: World) -> None:
    name = world.name()
    values: list[object] = [
        [name, {}],
        name,
        {"tool": name},
        {"args": {}},
        {"tool": name, "args": {}, "why": world.words()},
        {"tool": name, "args": [1, 2]},
        {"tool": name, "args": None},
        {"tool": 7, "args": {}},
    ]
    for value in values:
        with expect_raises(ValueError, named="ReplyError", because=ONE_DECISION):
            student.parse_reply(f"Thought: {world.words()}\nAction: {json.dumps(value)}")


# ---------------------------------------------------------------------------------------------------------------- e4
e4 = session.exercise(
    "ch03-e4",
    "One name for one run",
    provides=["fingerprint"],
    hints=[
        "Two dicts are equal and `str` writes them differently; 1 and True are equal and differ. Which text of a value "
        "gets both right?",
        "The name is the hash of one text. What must be in that text, so that a changed budget gives another name?",
        "`json.dumps` has an argument for each rule in the list: the order of keys, the blanks, the umlauts, NaN.",
    ],
)


@e4.case("the same run has the same name")
def same_run(student: Student, world: World) -> None:
    run = world.run()
    name = student.fingerprint(*run)
    expect(name).is_text()
    expect(student.fingerprint(*run)).equals(
        name.plain, because="equal values are the same run, wherever they lie in memory and whenever they are looked at"
    )
    held = [student.hold(part) for part in run[1:]]
    student.fingerprint(run[0], *held)
    for part, before in zip(held, run[1:], strict=True):
        expect(part.copy()).equals(before, because="what was handed over belongs to the caller")
        if isinstance(before, dict):
            expect(list(part.copy().plain)).equals(list(before), because="and keeps the order of its keys")


@e4.case("the order of keys makes no other run")
def key_order(student: Student, world: World) -> None:
    task, script, manifest, budgets = world.run()
    name = student.fingerprint(task, script, manifest, budgets)
    turned = [dict(reversed(reply.items())) for reply in script]
    for reply in turned:
        reply["tool_calls"] = [dict(reversed(call.items())) for call in reply["tool_calls"]]
    expect(student.fingerprint(task, turned, manifest, dict(reversed(budgets.items())))).equals(
        name.plain, because="a dict with its keys in another order is the same dict, also deep inside"
    )


@e4.case("each of the four parts counts, the budgets too", points=2)
def each_part(student: Student, world: World) -> None:
    run, other = world.run(), world.run()
    name = student.fingerprint(*run)
    for n, part in enumerate(("task", "script", "manifest", "budgets")):
        changed = student.fingerprint(*[other[i] if i == n else run[i] for i in range(4)])
        expect(changed).differs(name.plain, because=f"a run with another {part} is another run")


@e4.case("1, 1.0 and true are three different things")
def numbers_and_truth(student: Student, world: World) -> None:
    task, script, manifest, budgets = world.run()
    key = world.word()
    names = [student.fingerprint(task, script, manifest, {**budgets, key: value}) for value in (1, 1.0, True, "1")]
    for n, name in enumerate(names):
        for earlier in names[:n]:
            expect(name).differs(earlier.plain, because="equal in Python, and a tool may treat them differently")


@e4.case("order and nothing count where they are data")
def order_and_nothing(student: Student, world: World) -> None:
    task, script, manifest, budgets = world.run()
    name = student.fingerprint(task, script, manifest, budgets)
    expect(student.fingerprint(task, script[::-1], manifest, budgets)).differs(
        name.plain, because="replies in another order are another script"
    )
    expect(student.fingerprint(task, manifest, script, budgets)).differs(
        name.plain, because="a script is no manifest: the parts must not run into one another"
    )
    limits: list[dict[str, object]] = [{"most": None}, {"most": []}, {}]
    none, empty, absent = (student.fingerprint(task, script, manifest, more) for more in limits)
    for one, two in ((none, empty), (none, absent), (empty, absent)):
        expect(one).differs(two.plain, because="no value, an empty one, and no key are three different things")


@e4.case("what JSON cannot hold is refused")
def not_data(student: Student, world: World) -> None:
    task, script, manifest, budgets = world.run()
    values: list[object] = [
        world.tool(), {world.word()}, frozenset(), b"", 1j, Decimal("0.5"), {(1, 2): 3},
        float("nan"), float("inf"), float("-inf"),
    ]  # fmt: skip
    for value in values:
        for more in (value, [{"deep": value}]):
            with expect_raises(
                TypeError, ValueError, because="a name made of an object's address would be another one tomorrow"
            ):
                student.fingerprint(task, script, manifest, {**budgets, "limit": more})


@e4.case("the name is the SHA-256 of the text that the exercise describes")
def the_name_itself(student: Student, world: World) -> None:
    task, script, manifest, budgets = world.run()
    # Two spellings of one letter, one of two characters in one, and blanks all around.
    task = f" {task}, in Z\u00fcrich, Zu\u0308rich, the \ufb01nd \n"
    script[0]["text"] = f"\t{world.words()}\u0308 "
    budgets[f" \u00e9{world.word()} "] = [" ", "", None, 0, {}]
    for run in (
        (task, script, manifest, budgets),
        ("", script, manifest, budgets),
        (task, [], manifest, budgets),
        (task, script, [], budgets),
        (task, script, manifest, {}),
        ("", [], [], {}),
    ):
        expect(student.fingerprint(*run)).equals(
            fingerprint(*run), because="two people, on two machines, must get the same name"
        )
