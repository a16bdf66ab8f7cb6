"""Each inner layer, switched on alone, refuses what it is there for. Everything hostile runs inside a slot."""

from collections.abc import Callable
from pathlib import Path

import pytest
from seats import play

from grader.sandbox import confine
from grader.sandbox.slot import Slot
from grader.sandbox.walls import Layers

pytestmark = pytest.mark.sandbox

BWRAP = Layers(bwrap=True, landlock=False, seccomp=False, rlimits=False)
LANDLOCK = Layers(bwrap=True, landlock=True, seccomp=False, rlimits=False)
SECCOMP = Layers(bwrap=True, landlock=False, seccomp=True, rlimits=False)
RLIMITS = Layers(bwrap=True, landlock=False, seccomp=False, rlimits=True)
PARTIAL = Layers(bwrap=False)
Slots = Callable[..., Slot]

TRY = """
import ctypes, errno, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)

def name(code):
    return errno.errorcode.get(code, str(code))

def call(number, *args):
    ctypes.set_errno(0)
    result = libc.syscall(number, *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return name(ctypes.get_errno()) if result == -1 else "done"

def attempt(work):
    try:
        work()
        return "done"
    except OSError as error:
        return name(error.errno)
    except Exception as error:
        return type(error).__name__
"""


def tried(slot: Slot, *expressions: str) -> list[str]:
    """What each expression came to, evaluated in one notebook of `slot`."""
    lines = "\n".join(f"print({expression})" for expression in expressions)
    done = play(slot, TRY + lines)
    assert done.errors == [None], done.outputs
    return done.text.split("\n")[:-1]


def number(name: str) -> int:
    pyseccomp = pytest.importorskip("pyseccomp")
    return int(pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name))


# ------------------------------------------------------------------------------------------------------- seccomp
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ptrace", "0, 0, 0, 0"),
        ("process_vm_readv", "os.getpid(), 0, 0, 0, 0, 0"),
        ("process_vm_writev", "os.getpid(), 0, 0, 0, 0, 0"),
        ("pidfd_open", "os.getpid(), 0"),
        ("pidfd_getfd", "0, 0, 0"),
        ("pidfd_send_signal", "0, 0, 0, 0"),
        ("io_uring_setup", "1, 0"),
        ("memfd_create", "b'x', 0"),
        ("execveat", "-100, b'/usr/bin/true', 0, 0, 0"),
        ("keyctl", "0, 0"),
        ("add_key", "0, 0, 0, 0, 0"),
        ("userfaultfd", "0"),
        ("bpf", "0, 0, 0"),
        ("perf_event_open", "0, 0, 0, 0, 0"),
        ("setns", "0, 0"),
        ("unshare", "0x10000000"),
        ("mount", "0, 0, 0, 0, 0"),
        ("name_to_handle_at", "-100, b'.', 0, 0, 0"),
        ("open_by_handle_at", "0, 0, 0"),
        ("personality", "0xffffffff"),
        ("tkill", "os.getpid(), 0"),
        ("rt_sigqueueinfo", "os.getpid(), 0, 0"),
        ("kcmp", "0, 0, 0, 0, 0"),
        ("shmget", "0, 4096, 0o1600"),
        ("setuid", "0"),
        ("seccomp", "0, 0, 0"),
    ],
)
def test_seccomp_refuses_a_call_that_a_notebook_has_no_use_for(slots: Slots, name: str, arguments: str) -> None:
    assert tried(slots(SECCOMP), f"call({number(name)}, {arguments})") == ["EPERM"]


def test_seccomp_says_that_a_call_it_does_not_know_does_not_exist(slots: Slots) -> None:
    assert tried(slots(SECCOMP), "call(499)", f"call({number('clone3')}, 0, 0)") == ["ENOSYS", "ENOSYS"]


def test_seccomp_refuses_processes_and_lets_threads_be(slots: Slots) -> None:
    assert (
        tried(
            slots(SECCOMP),
            "attempt(os.fork)",
            "attempt(lambda: os.execv('/usr/bin/true', ['true']))",
            "attempt(lambda: os.posix_spawn('/usr/bin/true', ['true'], {}))",
            "attempt(lambda: __import__('subprocess').run(['true']))",
        )
        == ["EPERM"] * 4
    )
    many = "import threading\nseen = []\nones = [threading.Thread(target=seen.append, args=(i,)) for i in range(20)]\n"
    assert play(slots(), many + "[t.start() for t in ones]\n[t.join() for t in ones]\nlen(seen)").text == "20"


def test_seccomp_lets_a_process_signal_itself_and_no_other(slots: Slots) -> None:
    assert tried(
        slots(SECCOMP),
        "attempt(lambda: os.kill(os.getpid(), 0))",
        "attempt(lambda: os.kill(os.getppid(), 0))",
        "attempt(lambda: os.kill(1, 0))",
        "attempt(lambda: os.kill(-1, 0))",
        "attempt(lambda: os.killpg(0, 0))",
        f"call({number('tgkill')}, os.getppid(), os.getppid(), 0)",
        "attempt(lambda: __import__('fcntl').fcntl(1, 8, os.getppid()))",  # F_SETOWN
        "attempt(lambda: __import__('fcntl').fcntl(1, 10, 9))",  # F_SETSIG
    ) == ["done", *["EPERM"] * 5, *["ENOSYS"] * 2]


def test_seccomp_leaves_only_the_socketpair_of_all_sockets(slots: Slots) -> None:
    kinds = ("AF_INET, socket.SOCK_STREAM", "AF_INET6, socket.SOCK_DGRAM", "AF_UNIX", "AF_NETLINK, socket.SOCK_RAW")
    opened = [f"attempt(lambda: socket.socket(socket.{kind}))" for kind in kinds]
    assert tried(slots(SECCOMP), *opened, "attempt(socket.socketpair)") == ["EPERM"] * 4 + ["done"]


def test_seccomp_guards_what_protects_the_process_from_others(slots: Slots) -> None:
    prctl = number("prctl")
    options = {"PR_SET_DUMPABLE": (4, 1), "PR_SET_PTRACER": (0x59616D61, -1), "PR_SET_PDEATHSIG": (1, 0)}
    calls = [f"call({prctl}, {option}, {value}, 0, 0, 0)" for option, value in options.values()]
    assert tried(slots(SECCOMP), *calls, f"call({prctl}, 15, b'name', 0, 0)") == ["ENOSYS"] * 3 + ["done"]


def test_seccomp_compares_the_whole_word_so_that_high_bits_do_not_hide_an_ioctl(slots: Slots) -> None:
    ioctl, sti = number("ioctl"), 0x5412
    assert (
        tried(
            slots(SECCOMP),
            f"call({ioctl}, 0, {sti}, b'x')",
            f"call({ioctl}, 0, {sti | 1 << 32}, b'x')",
            f"call({ioctl}, 0, 0x541C, b'x')",
        )
        == ["ENOSYS"] * 3
    )


def test_seccomp_refuses_setuid_bits_and_devices_and_allows_a_fifo(slots: Slots) -> None:
    made = "open('f', 'w').close()"
    assert tried(
        slots(SECCOMP),
        made,
        "attempt(lambda: os.chmod('f', 0o4755))",
        "attempt(lambda: os.chmod('f', 0o2755))",
        "attempt(lambda: os.chmod('f', 0o700))",
        "attempt(lambda: os.mknod('null', 0o020666, os.makedev(1, 3)))",
        "attempt(lambda: os.mkfifo('pipe'))",
    )[1:] == ["EPERM", "EPERM", "done", "ENOSYS", "done"]


def test_seccomp_lets_a_limit_be_seen_and_not_changed(slots: Slots) -> None:
    limit = "__import__('resource')"
    assert tried(
        slots(SECCOMP),
        f"attempt(lambda: {limit}.getrlimit({limit}.RLIMIT_AS))",
        f"attempt(lambda: {limit}.setrlimit({limit}.RLIMIT_AS, (1 << 30, 1 << 30)))",
    ) == ["done", "ValueError"]


def test_what_ordinary_code_does_goes_through_every_layer(slots: Slots) -> None:
    source = """
import asyncio, concurrent.futures, datetime, hashlib, os, pathlib, random
import secrets, shutil, sqlite3, tempfile, threading, time, uuid, zipfile
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder)
    (place / 'a.txt').write_text('x' * 100_000)
    shutil.copy2(place / 'a.txt', place / 'c.txt')
    os.replace(place / 'c.txt', place / 'd.txt')
    with zipfile.ZipFile(place / 'z.zip', 'w') as archive:
        archive.write(place / 'd.txt')
    with sqlite3.connect(place / 'base.db') as base:
        base.execute('create table t (x)')
        base.execute('insert into t values (1)')
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert sum(pool.map(len, ['a', 'bc'])) == 3
lock = threading.Condition()
with lock:
    lock.wait(0.01)
time.sleep(0.01)
assert await asyncio.wait_for(asyncio.to_thread(lambda: 5), 2) == 5
secrets.token_hex(), uuid.uuid4(), random.random(), hashlib.sha256(b'x').hexdigest(), datetime.datetime.now()
print('all of it')
"""
    assert play(slots(), source).text == "all of it\n"


def test_the_filter_of_a_child_holds_its_own_process_id_and_no_placeholder() -> None:
    pytest.importorskip("pyseccomp")
    program = confine.CallRules()._program
    assert confine._word(confine._SOME_PID) in program
    assert len(program) % 8 == 0


# ------------------------------------------------------------------------------------------------------- Landlock
def test_landlock_leaves_python_readable_and_the_scratch_writable_and_nothing_else(slots: Slots) -> None:
    assert (
        tried(
            slots(LANDLOCK),
            "attempt(lambda: open(os.__file__).read())",
            "attempt(lambda: open('mine', 'w').write('x'))",
            "attempt(lambda: open('/dev/null', 'w').write('x'))",
            "attempt(lambda: open('/dev/urandom', 'rb').read(1))",
            "attempt(lambda: open('/proc/self/status').read())",
            "attempt(lambda: os.listdir('/proc'))",
            "attempt(lambda: os.listdir('/'))",
            "attempt(lambda: open(f'/proc/{os.getppid()}/cmdline').read())",
        )
        == ["done"] * 4 + ["EACCES"] * 4
    )


def test_landlock_keeps_signals_inside_where_the_kernel_can(slots: Slots) -> None:
    landlockpy = pytest.importorskip("landlockpy")
    if landlockpy.abi_version() < 6:
        pytest.skip("this kernel's Landlock has no signal scope")
    assert tried(slots(LANDLOCK), "attempt(lambda: os.kill(os.getppid(), 0))") == ["EPERM"]


def test_landlock_without_bwrap_hides_the_project_and_the_home(slots: Slots) -> None:
    project = str(Path(confine.__file__).resolve().parents[2] / "pyproject.toml")
    assert tried(
        slots(PARTIAL),
        f"attempt(lambda: open({project!r}).read())",
        "attempt(lambda: open('/etc/passwd').read())",
        f"attempt(lambda: os.listdir({str(Path.home())!r}))",
        f"attempt(lambda: os.truncate({project!r}, 10**6))",
        "attempt(lambda: open('mine', 'w').write('x'))",
    ) == ["EACCES"] * 4 + ["done"]


def test_a_file_is_given_no_right_of_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("landlockpy")
    file = tmp_path / "file"
    file.touch()
    rules = confine.PathRules([str(file)], [], [str(file), str(tmp_path)], minimum=1)
    assert rules.fileno() > 2


def test_a_landlock_that_is_too_old_is_an_error_and_not_a_weaker_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    landlockpy = pytest.importorskip("landlockpy")
    monkeypatch.setattr(landlockpy, "abi_version", lambda: 2)
    with pytest.raises(RuntimeError, match="version 3 is needed and this kernel has 2"):
        confine.PathRules([], [], [], minimum=3)


def test_a_path_that_cannot_be_opened_is_an_error_and_not_a_weaker_wall() -> None:
    pytest.importorskip("landlockpy")
    with pytest.raises(OSError, match="nowhere"):
        confine.PathRules(["/nowhere"], [], [], minimum=1)


# ------------------------------------------------------------------------------------------------------- rlimits
def test_rlimits_stop_memory_files_and_descriptors(slots: Slots) -> None:
    assert tried(
        slots(RLIMITS),
        "attempt(lambda: bytearray(3 << 30))",
        "attempt(lambda: open('big', 'wb').write(b'x' * (8 << 20)))",
        "attempt(lambda: [os.open('/dev/null', 0) for _ in range(200)])",
    ) == ["MemoryError", "EFBIG", "EMFILE"]


def test_rlimits_stop_a_fork_bomb_and_what_it_left_is_swept(slots: Slots) -> None:
    source = "import os, time\nn = 0\nwhile n < 500:\n    if os.fork() == 0:\n        time.sleep(60)\n    n += 1"
    done = play(slots(RLIMITS), source)
    assert done.errors == ["BlockingIOError"]
    assert 0 < done.exit.swept < 500


def test_rlimits_stop_a_thread_bomb(slots: Slots) -> None:
    source = "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(60,)).start()"
    assert play(slots(), source).errors == ["RuntimeError"]


# ------------------------------------------------------------------------------------------------------- bubblewrap
def test_bwrap_shows_no_file_of_the_machine_but_python(slots: Slots) -> None:
    project = str(Path(confine.__file__).resolve().parents[2] / "pyproject.toml")
    seen = tried(
        slots(BWRAP),
        f"os.path.exists({project!r})",
        "os.path.exists('/etc/passwd')",
        "sorted(os.listdir('/etc')) in ([], ['ld.so.cache'])",
        f"attempt(lambda: os.listdir({str(Path.home())!r}))[0] in 'dE'",
        "attempt(lambda: open('/usr/x', 'w'))",
        "attempt(lambda: open('/x', 'w'))",
        "attempt(lambda: open('/slot/grader/__init__.py', 'a'))",
        "attempt(lambda: open('/dev/shm/x', 'w'))",
    )
    assert seen[:4] == ["False", "False", "True", "True"]
    assert set(seen[4:]) <= {"EROFS", "EACCES"}


def test_bwrap_has_its_own_processes_network_and_uid(slots: Slots) -> None:
    assert tried(
        slots(BWRAP),
        "len([p for p in os.listdir('/proc') if p.isdigit()]) <= 3",
        "socket.if_nameindex() == [(1, 'lo')]",
        "os.getuid() != 0",
        "attempt(lambda: socket.create_connection(('127.0.0.1', 9), 0.2))",
        "'SECRET' not in ''.join(os.environ)",
        "sorted(os.environ)[:3]",
    ) == ["True", "True", "True", "ECONNREFUSED", "True", "['HOME', 'IPYTHONDIR', 'LANG']"]


def test_bwrap_limits_the_size_of_the_scratch(slots: Slots) -> None:
    source = "attempt(lambda: [open(f'f{i}', 'wb').write(b'x' * (4 << 20)) for i in range(8)])"
    assert tried(slots(BWRAP), source) == ["ENOSPC"]


def test_a_survivor_that_left_its_session_is_swept(slots: Slots) -> None:
    source = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(300)\n"
        "    os._exit(0)\nos.wait()\ntime.sleep(0.05)"
    )
    assert play(slots(BWRAP), source).exit.swept == 1
    done = play(slots(Layers(False, False, False, True)), source)
    assert done.exit.swept == 1
