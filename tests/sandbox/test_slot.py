"""The trusted side: what a child may say, how its end is named, and that nothing it does outlives it."""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from seats import SMALL, play, seat

from grader.engine.student import Gone
from grader.sandbox import slot as slot_module
from grader.sandbox import zygote
from grader.sandbox.folder import clear_abandoned
from grader.sandbox.messages import MAX_DEPTH, Outputs, Refused, decode
from grader.sandbox.slot import Child, Slot, SlotError
from grader.sandbox.walls import Layers

pytestmark = pytest.mark.sandbox
Slots = Callable[..., Slot]

CHANNEL = "import sys\nchannel = sys.modules['grader.sandbox.child'].current.channel\n"


def ended(slot: Slot, source: str, seconds: float = 5.0, grace: float = 1.0) -> tuple[str, str]:
    """(status, reason) of the end that `source` brings about."""
    done = play(slot, source, seconds=seconds, grace=grace)
    assert done.gone is not None, done.ends
    return done.gone.status, done.gone.reason


def says(slot: Slot, line: str) -> tuple[str, str]:
    """(status, reason) after the child wrote the bytes `line`, a Python expression, to its own socket."""
    source = f"{CHANNEL}channel._send({line})\nimport time\ntime.sleep(5)"
    return ended(slot, source, grace=0.5)


# ------------------------------------------------------------------------------------------------------- ends
@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        ("import os\nos._exit(0)", "crashed", "ended itself with exit code 0"),
        ("import os\nos._exit(3)", "crashed", "ended itself with exit code 3"),
        ("import ctypes\nctypes.string_at(0)", "crashed", "killed by signal 11 (segmentation fault)"),
        ("import os\nos.abort()", "crashed", "killed by signal 6 (aborted)"),
        ("import os\nos.closerange(0, 64)", "crashed", "ended itself with exit code 70"),
        ("import os\nwhile True: os.write(1, b'x' * 65536)", "output_limit", "wrote more than 4 MiB of output"),
        ("while True: print('x' * 65536)", "output_limit", "wrote more than 4 MiB of output"),
        ("while True: display('x' * 65536)", "output_limit", "wrote more than 4 MiB of output"),
    ],
)
def test_the_end_of_a_child_has_its_status_and_a_sentence(slot: Slot, source: str, status: str, reason: str) -> None:
    assert ended(slot, source) == (status, reason)
    assert play(slot, "'next'").text == "'next'"


@pytest.mark.parametrize(
    "source",
    [
        "import itertools\nsum(itertools.repeat(0))",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        # Two deep: an alarm that falls into the inner handler is swallowed by the outer one.
        "while True:\n  try:\n    while True:\n      try:\n        while True: sum(range(9))\n"
        "      except BaseException: pass\n  except BaseException: pass",
        "import signal as s\ns.setitimer(s.ITIMER_REAL, 0)\ns.signal(s.SIGINT, s.SIG_IGN)\nwhile True: pass",
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass",
    ],
    ids=["loop in C", "stopped", "swallows everything", "disarms", "masks"],
)
def test_what_ignores_the_alarm_is_killed_at_the_deadline(slot: Slot, source: str) -> None:
    status, reason = ended(slot, source, seconds=0.1, grace=0.3)
    assert (status, reason) == ("timed_out", "did not answer within 0.4 s")


def test_an_endless_loop_in_python_costs_its_cell_and_not_the_next(slot: Slot) -> None:
    done = play(slot, "while True: pass", "'next'", seconds=0.1)
    assert done.errors == ["TimeLimit", None]
    assert done.ends[0]["evalue"] == "the cell did not end within 0.1 s"


def test_an_alarm_that_falls_into_printing_does_not_break_the_protocol(slot: Slot) -> None:
    done = play(
        slot, "import sys\nwhile True:\n    sys.stdout.write('x')\n    sys.stdout.flush()", "'next'", seconds=0.1
    )
    assert done.errors == ["TimeLimit", None]


def test_a_child_that_runs_out_of_memory_for_good_says_so(slot: Slot) -> None:
    assert play(slot, "bytearray(3 << 30)", "1").errors == ["MemoryError", None]
    assert ended(slot, "import os\nos._exit(77)") == ("out_of_memory", "needed more than 512 MiB of memory")


def test_processor_time_has_a_limit_of_its_own(slots: Slots) -> None:
    with Slot(limits=slot_module.Limits(cpu_seconds=1), number=59) as slot:
        source = "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass"
        status, reason = ended(slot, source, seconds=10)
    assert status == "timed_out"
    assert reason.endswith("of 1 s of processor time")


def test_gone_is_raised_again_by_every_later_receive(slot: Slot) -> None:
    child = seat(slot)
    child.send({"t": "cell", "i": 0, "source": "import os\nos._exit(1)", "seconds": 1.0})
    reasons = []
    for _ in range(2):
        with pytest.raises(Gone) as gone:
            child.receive(time.monotonic() + 2)
        reasons.append(gone.value.reason)
    assert reasons == ["ended itself with exit code 1"] * 2
    assert child.end() is child.end()


# ------------------------------------------------------------------------------------------------------- what it says
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (r"b'\x00\xff not json\n'", "sent what is not a message"),
        (r"b'{\"t\":\"verdict\"}\n'", "sent what is not a message"),
        (r"b'{\"t\":\"cell\",\"i\":\"0\",\"ok\":true,\"ename\":null,\"evalue\":null}\n'", "sent what is not a message"),
        (r"b'{\"t\":\"out\",\"i\":{},\"o\":1}\n'", "sent what is not a message"),
        (
            r"b'{\"t\":\"out\",\"i\":0,\"o\":{\"output_type\":\"stream\",\"name\":\"x\",\"text\":\"\"}}\n'",
            "sent what is not",
        ),
        (r"b'[' * 200000 + b'\n'", "sent what is not a message"),
        (
            r"b'{\"t\":\"reply\",\"run\":1,\"threads\":0,\"value\":' + b'[' * 500 + b']' * 500 + b'}\n'",
            "nested more than 400",
        ),
        (r"b'a' * (9 << 20)", "sent a message of more than 8 MiB"),
        (r"b'\n'", "sent what is not a message"),
    ],
)
def test_a_line_that_is_no_message_ends_the_child(slot: Slot, line: str, reason: str) -> None:
    status, said = says(slot, line)
    assert status == "crashed"
    assert reason in said


def test_a_child_that_closes_its_connection_and_stays_is_killed(slot: Slot) -> None:
    source = (
        "import os, time\nos.closerange(3, 64)\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass"
    )
    assert ended(slot, source) == ("crashed", "closed its connection to the grader")


def test_a_child_that_does_not_read_is_killed(slot: Slot) -> None:
    child = seat(slot)
    child.send({"t": "cell", "i": 0, "source": "import time\ntime.sleep(5)", "seconds": 5.0})
    for _ in range(10):
        child.send({"t": "result", "value": "x" * (1 << 20)})
    with pytest.raises(Gone, match="left more than 8 MiB of messages unread"):
        child.receive(time.monotonic() + 2)
    child.end()


def test_an_out_message_with_a_wrong_cell_number_changes_no_other_message(slot: Slot) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "x"}
    source = f"{CHANNEL}channel.send({{'t': 'out', 'i': 7, 'o': {output}}})"
    done = play(slot, source, "2")
    assert done.errors == [None, None]
    assert done.outputs[0][0] == 7


def test_messages_are_decoded_strictly() -> None:
    assert decode(b'{"t":"up"}') == {"t": "up"}
    assert decode(b'{"t":"reply","run":3,"threads":0,"value":[1]}')["value"] == [1]
    for line in (
        b'{"t":"up","x":1}',
        b'{"t":"reply","threads":0}',
        b'{"t":"call","run":1,"id":true,"args":0,"kwargs":0}',
        b"[]",
    ):
        with pytest.raises(Refused):
            decode(line)


def test_depth_is_measured_and_not_only_brackets() -> None:
    flat = json.dumps({"t": "reply", "run": 1, "threads": 0, "value": [[] for _ in range(3 * MAX_DEPTH)]}).encode()
    assert len(decode(flat)["value"]) == 3 * MAX_DEPTH
    deep = b'{"t":"reply","run":1,"threads":0,"value":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}"
    with pytest.raises(Refused, match="nested more than"):
        decode(deep)


# ------------------------------------------------------------------------------------------------------- outputs
def test_of_each_cell_the_first_part_of_the_output_is_kept_and_a_note_says_so() -> None:
    kept: list[tuple[int, dict[str, object]]] = []
    outputs = Outputs(kept, cap=10)
    for text in ("abcde", "fghij", "klmno", "pqrst"):
        outputs.add(0, {"output_type": "stream", "name": "stdout", "text": text})
    outputs.add(1, {"output_type": "stream", "name": "stdout", "text": "next"})
    assert [(i, o["text"]) for i, o in kept] == [
        (0, "abcdefghij"),
        (0, "\n… the rest of this cell's output is left out\n"),
        (1, "next"),
    ]


def test_clear_output_that_waits_clears_at_the_next_output() -> None:
    kept: list[tuple[int, dict[str, object]]] = []
    outputs = Outputs(kept, cap=100)
    outputs.add(0, {"output_type": "stream", "name": "stdout", "text": "old"})
    outputs.add(0, {"output_type": "clear_output", "wait": True})
    assert len(kept) == 1
    outputs.add(0, {"output_type": "stream", "name": "stdout", "text": "new"})
    assert [o["text"] for _, o in kept] == ["new"]


# ------------------------------------------------------------------------------------------------------- scratch
def test_a_scratch_3000_deep_with_locked_folders_and_links_is_emptied(slot: Slot) -> None:
    mess = """
import os
os.symlink('/usr', 'link'); os.symlink('.', 'loop'); os.mkfifo('fifo')
os.makedirs('locked/inner/more'); open('locked/inner/file', 'w').close()
os.mkdir('moved-1'); open('moved-2', 'w').close()
os.chmod('locked/inner', 0); os.chmod('locked', 0)
for _ in range(3000):
    os.mkdir('z'); os.chdir('z')
"""
    assert play(slot, mess).errors == [None]
    assert play(slot, "import os\nos.listdir('.')").text == "[]"


def test_emptying_follows_no_link(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "file").write_text("stays", encoding="utf-8")
    (inside / "folder").mkdir(parents=True)
    (inside / "link").symlink_to(outside)
    (inside / "folder" / "link").symlink_to(outside / "deep")
    zygote.empty(str(inside))
    assert list(inside.iterdir()) == []
    assert (outside / "deep" / "file").read_text(encoding="utf-8") == "stays"


# ------------------------------------------------------------------------------------------------------- the slot
def test_a_signal_to_all_is_sent_only_from_a_proven_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not zygote._private_pid_namespace(str(Path("/proc/self/ns/pid").readlink()))
    assert not zygote._private_pid_namespace("pid:[1]"), "another namespace alone proves nothing: init must be bwrap"
    sent: list[int] = []
    monkeypatch.setattr(zygote.os, "kill", lambda pid, number: sent.append(pid))
    monkeypatch.setattr(zygote, "_own_children", list)
    assert zygote._sweep_descendants() == 0
    assert sent == []


def test_a_zygote_that_died_is_replaced_at_the_next_spawn(slots: Slots) -> None:
    slot = slots()
    play(slot, "1")
    before = slot._zygote
    assert before is not None
    before.kill()
    before.wait()
    assert play(slot, "'again'").text == "'again'"
    assert slot._zygote is not before


def test_spawning_ends_the_child_before(slot: Slot) -> None:
    first = seat(slot)
    second = seat(slot)
    assert first.end().code == 0
    second.end()


def test_a_slot_that_cannot_start_says_why_in_one_sentence(monkeypatch: pytest.MonkeyPatch, slots: Slots) -> None:
    monkeypatch.setattr(slot_module.walls, "import_path", list)
    with pytest.raises(SlotError, match=r"slot 58 did not start: it ended; it said: .*"):
        Slot(number=58).spawn()


def test_a_child_that_cannot_close_its_walls_runs_nothing(monkeypatch: pytest.MonkeyPatch, slots: Slots) -> None:
    limits = slot_module.Limits(open_files=10**9)  # more than the kernel grants
    with Slot(number=57, limits=limits) as slot, pytest.raises(SlotError, match="could not be confined"):
        slot.spawn()


def test_closing_leaves_no_process_and_no_folder(slots: Slots) -> None:
    slot = Slot(number=56, limits=SMALL)
    with slot:
        seat(slot)
        folder, process = slot._folder, slot._zygote
        assert folder is not None
        clear_abandoned()
        assert folder.path.exists(), "a folder in use is not abandoned"
    assert not folder.path.exists()
    assert process is not None
    assert process.returncode is not None


def test_the_zygote_ignores_what_a_notebook_did_to_random(slot: Slot) -> None:
    values = {play(slot, "import random\nrandom.random()").text for _ in range(3)}
    assert len(values) == 3, "children of one zygote must not share a random state"


def test_the_order_of_a_set_is_the_same_in_every_slot(slots: Slots) -> None:
    source = "list({'reef', 'tide', 'wind', 'fog', 'sand'})"
    orders = {play(slots(), source).text, play(slots(Layers(bwrap=False)), source).text}
    assert len(orders) == 1


# ------------------------------------------------------------------------------------------------------- the channel
@pytest.fixture
def served(slot: Slot) -> Iterator[Child]:
    child = seat(slot)
    yield child
    child.end()


def ask(child: Child, message: dict[str, object]) -> dict[str, object]:
    child.send(message)
    return child.receive(time.monotonic() + 3)


REQUEST = {"t": "request", "op": "call", "method": None, "args": [], "kwargs": {}, "keep": False, "seconds": 2.0}


def test_a_request_between_cells_runs_where_a_running_loop_is(served: Child) -> None:
    ask(
        served,
        {
            "t": "cell",
            "i": 0,
            "source": "import asyncio\ndef f(): return asyncio.get_running_loop().is_running()",
            "seconds": 1.0,
        },
    )
    ask(served, {"t": "request", "op": "bind", "names": ["f"], "run": 0, "keep": False, "seconds": 2.0})
    reply = ask(served, {**REQUEST, "run": 1, "target": {"name": "f"}})
    assert (reply["t"], reply["run"], reply.get("value", reply)) == ("reply", 1, True)


def test_a_check_in_a_cell_is_judged_where_it_stands_and_its_time_is_not_the_cells(served: Child) -> None:
    source = "import time\nfrom grader import check\nf = lambda: 5\nresult = check('ch05-e2', f)\nprint(result)"
    opening = ask(served, {"t": "cell", "i": 0, "source": source, "seconds": 0.3})
    assert opening == {"t": "check", "exercise": "ch05-e2", "objects": 1}
    time.sleep(0.4)
    verdict = {"t": "verdict", "exercise": "ch05-e2", "points": 2, "max_points": 4, "passed": False}
    assert ask(served, verdict)["ok"] is True
    assert "2 of 4 points" in served.outputs[0][1]["text"]


def test_calls_from_many_threads_each_get_their_own_answer(served: Child) -> None:
    source = (
        CHANNEL
        + """
import threading
got = {}
def one(n):
    for k in range(20):
        got[n, k] = channel.ask({'t': 'call', 'run': 0, 'id': n, 'args': k, 'kwargs': {}})['value']
threads = [threading.Thread(target=one, args=(n,)) for n in range(6)]
[t.start() for t in threads]; [t.join() for t in threads]
print(all(value == 1000 * n + k for (n, k), value in got.items()), len(got))
"""
    )
    message = ask(served, {"t": "cell", "i": 0, "source": source, "seconds": 5.0})
    while message["t"] == "call":
        message = ask(served, {"t": "result", "value": 1000 * message["id"] + message["args"]})
    assert message["ok"] is True
    assert served.outputs[0][1]["text"] == "True 120\n"


def test_an_endless_loop_of_calls_is_stopped_between_two_of_them_and_the_child_goes_on(served: Child) -> None:
    source = CHANNEL + "while True: channel.ask({'t': 'call', 'run': 0, 'id': 1, 'args': 0, 'kwargs': {}})"
    message = ask(served, {"t": "cell", "i": 0, "source": source, "seconds": 0.3})
    while message["t"] == "call":
        message = ask(served, {"t": "result", "value": None})
    assert message["ename"] == "TimeLimit"
    assert ask(served, {"t": "cell", "i": 1, "source": "1", "seconds": 1.0})["ok"] is True


# ------------------------------------------------------------------------------------------------------- what stays
SUPERVISOR = """
import sys, time
from grader.sandbox.slot import Slot
from grader.sandbox.walls import Layers
slot = Slot(layers=Layers(bwrap=BWRAP), number=55)
child = slot.spawn()
busy = "import signal\\nsignal.setitimer(signal.ITIMER_REAL, 0)\\nwhile True: pass"
child.send({"t": "cell", "i": 0, "source": busy, "seconds": 60.0})
print(slot._folder.path, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("bwrap", [True, False])
def test_a_supervisor_that_is_killed_takes_its_slot_along(slots: Slots, bwrap: bool) -> None:
    source = SUPERVISOR.replace("BWRAP", str(bwrap))
    supervisor = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert supervisor.stdout is not None
    folder = Path(supervisor.stdout.readline().strip())
    assert running(folder.name) > 0
    supervisor.kill()
    supervisor.wait()
    supervisor.stdout.close()
    until = time.monotonic() + 5
    while running(folder.name) and time.monotonic() < until:
        time.sleep(0.02)
    assert running(folder.name) == 0
    assert folder.exists()
    clear_abandoned()
    assert not folder.exists(), "the next slot on the machine removes what a killed one left"


def running(word: str) -> int:
    """How many processes have `word` in their command line."""
    count = 0
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            count += word.encode() in place.read_bytes()
    return count


def test_thirty_notebooks_leave_no_descriptor_behind(slot: Slot) -> None:
    play(slot, "1")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for source in ("1", "import os\nos._exit(1)", "import os\nos.closerange(0, 64)") * 10:
        play(slot, source)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_link_in_the_temporary_directory_is_no_abandoned_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place, victim = tmp_path / "tmp", tmp_path / "victim"
    (victim / "scratch").mkdir(parents=True)
    (victim / "scratch" / "file").touch()
    (victim / "lock").touch()
    place.mkdir()
    (place / "grader-slot-x").symlink_to(victim)
    monkeypatch.setattr("tempfile.tempdir", str(place))
    clear_abandoned()
    assert (victim / "scratch" / "file").exists()
