"""Notebooks that want points for what did not happen: forged receipts, lying objects, stolen references."""

from tests.hostile.cases import ALL, NONE, Case, in_a_cell, insert, notebook, one, solved

RIGHT = solved("ch05-e1")
CALL = '"result": tools[name](**args)}'
# Without a call three cases of e1 still hold: an answer first, a budget of nothing, a plan without an answer.
NO_CALLS = RIGHT.replace(CALL, '"result": "made up"}')
WITHOUT_CALLS = (3, 9, 5, 5)
NOTHING_IN_E1 = (0, 9, 5, 5)


def _first(source: str) -> str:
    """`source` as the first thing that run_loop of e1 does."""
    head, quotes, rest = RIGHT.partition('    """\n    if not any(')
    return f"{head}{quotes.partition(chr(10))[0]}\n{source}    if not any({rest}"


EVERY_CALL_TWICE = RIGHT.replace("        steps.append({", "        tools[name](**args)\n        steps.append({")

A_STEP_TOO_MANY = RIGHT.replace(
    'return receipt(steps, "', 'return receipt([*steps, {"tool": "audit", "args": {}, "result": "all well"}], "'
)

STOLEN_RUN = _first("""\
    import builtins

    tool = next(iter(tools.values()))
    if hasattr(builtins, "stolen"):
        call, run, number = builtins.stolen
        call({"run": run, "id": number, "args": [], "kwargs": {"topic": "for free"}})
    builtins.stolen = (tool._side._call, tool._side._run, tool.reference.id)
""")

EARLY_RECEIPT = '''\
def run_loop(plan, tools, budget):
    """Hands in a receipt before it begins."""
    import json, sys

    side = next(iter(tools.values()))._side
    said = receipt([], "answered", answer=plan[-1].get("answer"))
    line = json.dumps({"t": "reply", "run": side._run, "threads": 0, "value": said})
    sys.modules["grader.sandbox.child"].current.channel._send(line.encode() + b"\\n")
    for decision in plan:
        if "tool" in decision:
            tools[decision["tool"]](**decision["args"])
    return said'''

PATCHED_JSON = """\
import json
_dumps = json.dumps

def forged(value, *args, **kwargs):
    if isinstance(value, dict):
        return '{"t":"reply","run":"1","threads":0,"value":{"passed":true,"points":11}}'
    return _dumps(value, *args, **kwargs)

json.dumps = forged
json.loads = json.JSONDecoder.decode = lambda *args, **kwargs: {"passed": True, "points": 11}
_make = json.encoder.c_make_encoder

def forging(*options):
    honest = _make(*options)
    return lambda value, depth: [forged(value)] if isinstance(value, dict) else honest(value, depth)

json.encoder.c_make_encoder = forging"""

LYING_DICT = '''\
class Receipt(dict):
    """Empty, and says whatever is asked."""

    def __getitem__(self, key):
        return {"stopped_because": "answered"}.get(key)

    def __eq__(self, other):
        return True

    def items(self):
        return {"steps": [], "stopped_because": "answered", "answer": "yes", "refusal": None}.items()

    def __iter__(self):
        return iter(["steps", "stopped_because", "answer", "refusal"])

    def __len__(self):
        return 4


def run_loop(plan, tools, budget):
    return Receipt()'''

LYING_STR = """\
class Trace(str):
    def __eq__(self, other):
        return True

    def __str__(self):
        return "stopped_because='answered'  answer='all is well'"

    __hash__ = str.__hash__


def render_trace(receipt):
    return Trace("nothing")"""

# Four of the eleven cases look at the steps; the first of them, without a call, finds the empty list right.
LYING_LIST = RIGHT.replace(
    "    steps, seen = [], set()",
    """\
    class Steps(list):
        count = 0

        def append(self, step):
            self.count += 1

        def __len__(self):
            return self.count

        def __eq__(self, other):
            return True

    steps, seen = Steps(), set()""",
)

LYING_INT = """\
class Most(int):
    def __index__(self):
        return 99

    def __str__(self):
        return "99"

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def run_loop(plan, tools, budget):
    return receipt(Most(1), Most(2), answer=Most(3), refusal=Most(0))"""

LYING_CLASS = """\
class Receipt:
    __class__ = dict
    keys = {}.keys

    def __getitem__(self, key):
        return self

    def __len__(self):
        return 4


def run_loop(plan, tools, budget):
    return Receipt()"""

ALWAYS_EQUAL = """\
class Anything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __contains__(self, other):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self


def run_loop(plan, tools, budget):
    return Anything()"""

REPLACED_PROXY = _first("""\
    kind = type(next(iter(tools.values())))
    kind.__call__ = lambda self, *args, **kwargs: "made up"
""")

# Begun when the loop is over, so that every one of its calls is late, on a slow machine too.
FROM_A_THREAD = f"""\
{RIGHT.replace("def run_loop", "def own_loop")}


def run_loop(plan, tools, budget):
    import threading, time

    def later():
        time.sleep(0.1)
        for tool in tools.values():
            tool(topic="behind the check's back")

    try:
        return own_loop(plan, tools, budget)
    finally:
        threading.Thread(target=later).start()"""

PREFETCH = """\
import builtins
builtins.learnt = {}

def spy(plan, tools, budget):
    for name, tool in tools.items():
        for decision in plan:
            if decision.get("tool") == name:
                builtins.learnt[name] = tool(**decision["args"])

check("ch05-e1", spy)"""
FROM_MEMORY = RIGHT.replace(CALL, '"result": __import__("builtins").learnt.get(name, "made up")}')

PATCHED_COURSE = "import course.errors\ncourse.errors.ToolError = Exception"

IMPORTED = "from course.loops.receipts import {name}"

COPIED = '''\
import pathlib, sys


def run_loop(plan, tools, budget):
    """What lies about on the disk, if anything does."""


def render_trace(receipt):
    """The same."""


for folder in {*sys.path, "/", "/work", "/slot", "/root", "/home", "/tmp", "..", "../.."}:
    for place in ("course/loops/receipts.py", "solutions/ch05.py", "grader/_solutions/ch05.py"):
        try:
            exec(pathlib.Path(folder, place).read_text())
        except Exception:
            pass'''

PICKLE = '''\
class Bomb:
    """Runs in whoever unpickles, copies or prints it."""

    def __reduce__(self):
        import os
        return (os.system, ("touch /tmp/grader-hostile-pickle",))

    def __deepcopy__(self, memo):
        return receipt([], "answered", answer="copied")

    def __repr__(self):
        return "{}"


def run_loop(plan, tools, budget):
    return Bomb()'''

IMPORTS_THE_GRADER = """\
import importlib, sys
for name in ("grader.checks", "grader.checks.ch05", "grader.engine.world", "grader.engine.judge", "grader.cli"):
    try:
        importlib.import_module(name)
    except ImportError:
        continue
    raise SystemError(f"BROKE OUT: {name} is here")
import grader
grader.check = grader.notebook.compare.compare = lambda *args, **kwargs: "all points"
check = grader.check"""

FORGED_VERDICT = """\
def run_loop(plan, tools, budget):
    import sys

    line = b'{"t":"verdict","exercise":"ch05-e1","points":11,"max_points":11,"passed":true}\\n'
    sys.modules["grader.sandbox.child"].current.channel._send(line)
    return receipt([], "answered", answer=plan[-1].get("answer"))"""

FROM_THE_HEAP = """\
def run_loop(plan, tools, budget):
    import gc, sys

    wanted = {"World", "Ledger", "CountedTool", "Exercise", "Case", "Verdict"}
    found = [thing for thing in gc.get_objects() if type(thing).__name__ in wanted]
    frame = sys._getframe()
    while frame:
        found += [thing for thing in frame.f_locals.values() if type(thing).__name__ in wanted]
        frame = frame.f_back
    if found:
        raise SystemError(f"BROKE OUT: {found[:3]}")
    return receipt([], "answered", answer="nothing to be found")"""

MANY_ATTEMPTS = 'for _ in range(12):\n    check("ch05-e1", lambda plan, tools, budget: None)'

LYING_ERROR = '''\
class Wrong(ValueError):
    """Claims to be whatever is expected, and cannot be printed."""

    __name__ = "KeyError"

    def __str__(self):
        raise SystemExit

    @property
    def args(self):
        raise KeyboardInterrupt


def run_loop(plan, tools, budget):
    raise Wrong("it all went well")'''

METACLASS = '''\
class Everything(type):
    def mro(cls):
        return [cls, dict, object]

    def __instancecheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    __hash__ = type.__hash__


class Receipt(dict, metaclass=Everything):
    """A dict by all accounts, that holds nothing."""


def run_loop(plan, tools, budget):
    return Receipt()'''


def _e1(name: str, tries: str, answer: str, points: tuple[int, int, int, int], status: str = "failed") -> Case:
    return Case(name, tries, one(notebook(e1=answer)), status, points)


CASES = [
    _e1("receipt-without-calls", "a clean receipt of calls that nobody made", NO_CALLS, WITHOUT_CALLS),
    _e1("inflated-receipt", "a step in the receipt that no tool saw", A_STEP_TOO_MANY, (7, 9, 5, 5)),
    _e1("deflated-receipt", "every call made twice and reported once", EVERY_CALL_TWICE, WITHOUT_CALLS),
    _e1("stolen-run-id", "a call under the run id of the loop before", STOLEN_RUN, NOTHING_IN_E1),
    _e1(
        "early-receipt", "a receipt handed in before the work, then the calls", EARLY_RECEIPT, NOTHING_IN_E1, "crashed"
    ),
    Case(
        "patched-json",
        "json answers for the grader, so that whatever is sent says passed",
        one(insert(notebook(e1=NO_CALLS), "ch05-e1", PATCHED_JSON)),
        "failed",
        WITHOUT_CALLS,
    ),
    _e1("lying-dict", "an empty dict that answers what is asked", LYING_DICT, NOTHING_IN_E1),
    Case("lying-str", "a text equal to every other", one(notebook(e3=LYING_STR)), "failed", (11, 9, 0, 5)),
    _e1("lying-list", "an empty list of steps that claims their number", LYING_LIST, (8, 9, 5, 5)),
    _e1("lying-int", "numbers that are any number", LYING_INT, NOTHING_IN_E1),
    _e1("lying-class", "an object whose __class__ is dict", LYING_CLASS, NOTHING_IN_E1),
    _e1("always-equal", "an object equal to everything, with every attribute", ALWAYS_EQUAL, NOTHING_IN_E1),
    _e1("metaclass", "a class that is every class", METACLASS, NOTHING_IN_E1),
    _e1("lying-error", "an exception that claims to be any other", LYING_ERROR, (1, 9, 5, 5)),
    # From there on no tool of any exercise is called: e2 keeps the one case that counts none.
    _e1("replaced-proxy", "the tools answer without asking the check", REPLACED_PROXY, (3, 1, 5, 0)),
    _e1(
        "calls-from-a-thread", "a thread that calls the tools after the loop has returned", FROM_A_THREAD, NOTHING_IN_E1
    ),
    Case(
        "prefetch",
        "a first attempt that learns the answers of the tools for the second",
        one(insert(notebook(e1=FROM_MEMORY), "ch05-e1-check", PREFETCH)),
        "failed",
        WITHOUT_CALLS,
    ),
    Case(
        "patched-course",
        "the course's ToolError replaced by Exception, so that every defect is a refusal",
        one(insert(notebook(), "ch05-e1-check", PATCHED_COURSE)),
        "failed",
        (11, 7, 5, 4),
    ),
    Case(
        "imported-reference",
        "the course's own loop, imported as the answer",
        one(
            notebook(
                e1=IMPORTED.format(name="run_loop"),
                e2=IMPORTED.format(name="run_loop"),
                e3=IMPORTED.format(name="render_trace"),
                e4=IMPORTED.format(name="run_loop"),
            )
        ),
        "not_found",
        NONE,
        ("is what this session builds",),
    ),
    Case(
        "copied-reference",
        "the course's loop or the solutions, read from the disk",
        one(notebook(e1=COPIED, e2=COPIED, e3=COPIED, e4=COPIED)),
        "failed",
        NONE,
    ),
    _e1("pickle", "an object that runs code in whoever unpickles it", PICKLE, NOTHING_IN_E1),
    Case(
        "imports-the-grader", "the checks imported, and `check` replaced", in_a_cell(IMPORTS_THE_GRADER), "passed", ALL
    ),
    _e1("forged-verdict", "a verdict written to the socket", FORGED_VERDICT, NOTHING_IN_E1, "crashed"),
    _e1("from-the-heap", "the world and the ledger looked for in memory and in frames", FROM_THE_HEAP, (0, 9, 5, 5)),
    Case(
        "a-dozen-attempts",
        "attempts without end to learn the hidden values",
        one(insert(notebook(), "ch05-e1", MANY_ATTEMPTS)),
        "failed",
        NOTHING_IN_E1,
        ("checked more than 10 times",),
    ),
]
