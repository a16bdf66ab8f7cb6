"""Ways out of the sandbox. Each is a function `attempt` that returns what it reached; what stops it raises.

The same sources make the notebooks of the corpus, where every layer is on, and the matrix of `matrix.py`, where one
is off. They are harmless where they succeed: signal 0, loopback addresses, files that are removed again. Only in the
corpus, and only in a process namespace that has proven to be private, is a signal sent that kills.
"""

from tests.hostile.cases import ALL, Case, in_a_cell

MARKER = "grader-hostile"  # in the name of everything that an attack leaves where it should not

PRELUDE = """\
import ctypes, os, platform, signal, socket
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {"x86_64": {"ptrace": 101, "process_vm_readv": 310, "io_uring_setup": 425, "keyctl": 250, "add_key": 248,
    "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "shmget": 29, "shmctl": 31, "mount": 165, "unshare": 272,
    "setns": 308, "pidfd_open": 434, "pidfd_getfd": 438, "clone3": 435},
    "aarch64": {"ptrace": 117, "process_vm_readv": 270, "io_uring_setup": 425, "keyctl": 219, "add_key": 217,
    "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "shmget": 194, "shmctl": 195, "mount": 40, "unshare": 97,
    "setns": 268, "pidfd_open": 434, "pidfd_getfd": 438, "clone3": 435}}[platform.machine()]


def call(name, *args):
    ctypes.set_errno(0)
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = libc.syscall(NUMBERS[name], *given)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def first(tries):
    for work in tries:
        try:
            found = work()
        except Exception:
            continue
        if found:
            return found
    raise PermissionError("nothing was reached")
"""

# name -> (what it tries, source of `attempt`)
ATTACKS: dict[str, tuple[str, str]] = {
    "signal-the-parent": (
        "a signal to the process that forked it",
        "def attempt():\n    os.kill(os.getppid(), 0)\n    return 'the parent takes signals'",
    ),
    "signal-everyone": (
        "a signal to every process there is",
        """\
def attempt():
    os.kill(-1, 0)
    return "signalled the slot" if os.getppid() == 2 else "signalled the machine\"""",
    ),
    "ptrace-the-parent": (
        "the parent traced",
        "def attempt():\n    call('ptrace', 0x4206, os.getppid(), 0, 0)\n    return 'traced the parent'",
    ),
    "memory-of-the-parent": (
        "the parent's memory read",
        """\
def attempt():
    def by_file():
        return open(f"/proc/{os.getppid()}/mem", "rb") and "opened the parent's memory"

    def by_call():
        here, there = (ctypes.c_size_t * 2)(id(by_file), 16), (ctypes.c_size_t * 2)(id(by_file), 16)
        call("process_vm_readv", os.getppid(), ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
        return "read the parent's memory"

    return first([by_file, by_call])""",
    ),
    "descriptors-of-the-parent": (
        "a descriptor taken from the parent",
        """\
def attempt():
    def by_pidfd():
        handle = call("pidfd_open", os.getppid(), 0)
        return any_of(lambda n: call("pidfd_getfd", handle, n, 0))

    def any_of(take):
        for number in range(3, 10):
            try:
                if take(number):
                    return "took a descriptor of the parent"
            except OSError:
                pass

    return first([by_pidfd, lambda: any_of(lambda n: os.readlink(f"/proc/{os.getppid()}/fd/{n}"))])""",
    ),
    "proc": (
        "the environment and the root folder of other processes, through /proc",
        """\
def attempt():
    try:
        others = [name for name in os.listdir("/proc") if name.isdigit() and name != str(os.getpid())]
    except OSError:
        others = [str(pid) for pid in range(1, 400) if pid != os.getpid()]

    own = {f"{name}={value}" for name, value in os.environ.items()}

    def secrets(pid):
        lines = set(open(f"/proc/{pid}/environ").read().split(chr(0))) - {""}
        return any(one not in own and one[:4] != "PWD=" for one in lines) and "read the environment of another process"

    def root(pid):
        return len(os.listdir(f"/proc/{pid}/root/etc")) > 2 and "looked through the root of another process"

    return first([lambda p=p, f=f: f(p) for p in others for f in (secrets, root)])""",
    ),
    "nested-namespaces": (
        "a user namespace of its own, with every capability in it",
        """\
def attempt():
    flags = (0x10000000, 0x00020000, 0x40000000)  # user, mount, net
    return first([lambda f=f: call("unshare", f) == 0 and "made a namespace" for f in flags])""",
    ),
    "inherited-descriptors": (
        "a folder that a descriptor was left open on",
        """\
def attempt():
    return first([lambda n=n: os.listdir(n) and "a folder is open" for n in range(3, 1024)])""",
    ),
    "links": (
        "the project, read through symbolic and hard links",
        """\
def attempt():
    places = ("/etc/passwd", "/etc/hostname", "/root/.bashrc", PROJECT)

    def soft(place):
        if os.path.lexists("soft"):
            os.unlink("soft")
        os.symlink(place, "soft")
        return open("soft").read() and "read a file of the machine"

    def hard(place):
        os.link(place, "hard")
        found = open("hard").read() and "linked a file of the machine"
        os.unlink("hard")
        return found

    return first([lambda p=p, f=f: f(p) for p in places for f in (soft, hard)])""",
    ),
    "files-of-the-machine": (
        "the checks, the solutions, other submissions, other people's files",
        """\
def attempt():
    files = (PROJECT, "/etc/passwd", "/etc/shadow")
    tries = [lambda p=p: open(p).read() and "read a file of the machine" for p in files]
    # Inside bubblewrap these are empty but for what leads to the interpreter.
    folders = (os.path.dirname(PROJECT), "/root", "/home", "/tmp")
    tries += [lambda p=p: len(os.listdir(p)) > 2 and "listed a folder of the machine" for p in folders]
    return first(tries)""",
    ),
    "write-outside": (
        "a file written outside the scratch",
        """\
def attempt():
    def into(folder):
        path = os.path.join(folder, "MARKER-file")
        open(path, "w").close()
        os.unlink(path)
        return "wrote a file of the machine"

    here = os.path.dirname(os.__file__)
    folders = ["/tmp", "/var/tmp", "/dev/shm", "/usr/local", "/"]
    folders += [os.path.dirname(PROJECT), here, f"{here}/site-packages"]
    return first([lambda f=f: into(f) for f in folders])""",
    ),
    "site-hooks": (
        "a .pth file and a sitecustomize left for the next Python to start",
        """\
def attempt():
    import sys

    def leave(folder, name):
        path = os.path.join(folder, name)
        if os.path.abspath(folder).startswith(os.getcwd()):
            return ""
        open(path, "w").write("# MARKER")
        os.unlink(path)
        return "left a file beside the modules of Python"

    folders = [one for one in sys.path if one]
    return first([lambda f=f, n=n: leave(f, n) for f in folders for n in ("MARKER.pth", "sitecustomize-MARKER.py")])""",
    ),
    "network": (
        "a connection to a server on the loopback address",
        """\
def attempt():
    def tcp():
        with socket.create_connection(("127.0.0.1", PORT), 0.3) as connection:
            connection.sendall(b"MARKER")
        return "reached a server"

    def udp():
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"MARKER", ("127.0.0.1", PORT))
        return len(socket.if_nameindex()) > 1 and "sent a datagram"

    return first([tcp, udp])""",
    ),
    "abstract-socket": (
        "an abstract socket of another process",
        """\
def attempt():
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(0.3)
        connection.connect("\\0MARKER-PORT")
    return "reached another process\'s abstract socket\"""",
    ),
    "io-uring": (
        "io_uring, whose calls no seccomp filter sees",
        "def attempt():\n    call('io_uring_setup', 1, ctypes.create_string_buffer(120))\n    return 'made a ring'",
    ),
    "memfd-and-exec": (
        "a program made in memory and started",
        """\
def attempt():
    handle = os.memfd_create("MARKER", 0)
    os.write(handle, open("/usr/bin/true", "rb").read())
    pid = os.posix_spawn(f"/proc/self/fd/{handle}", ["true"], {})
    return os.waitpid(pid, 0)[1] == 0 and "ran it\"""",
    ),
    "run-a-program": (
        "a program of the machine, with LD_PRELOAD set",
        """\
def attempt():
    pid = os.posix_spawn("/usr/bin/true", ["true"], {"LD_PRELOAD": "libc.so.6"})
    return os.waitpid(pid, 0)[1] == 0 and "ran a program\"""",
    ),
    "outlive-the-notebook": (
        "a process in a session of its own, for later",
        """\
def attempt():
    import time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(5)
        os._exit(0)
    os.wait()
    return "left a process behind\"""",
    ),
    "become-root": (
        "another uid, or a file that gives one",
        """\
def attempt():
    def bit():
        open("tool", "w").close()
        os.chmod("tool", 0o4755)
        return os.stat("tool").st_mode & 0o4000 and os.getuid() == 0 and "made a setuid file of root's"

    def uid():
        os.setuid(1)
        os.setuid(0)

    def other():
        os.setresuid(12345, -1, -1)
        return "took another uid"

    return first([bit, other])""",
    ),
    "mount": (
        "a mount, a device, another root folder",
        """\
def attempt():
    def mounted():
        os.makedirs("here", exist_ok=True)
        call("mount", b"none", b"here", b"tmpfs", 0, 0)
        libc.umount2(b"here", 2)
        return "mounted something"

    def device():
        os.mknod("disk", 0o060600, os.makedev(7, 99))
        return "made a device"

    return first([mounted, device])""",
    ),
    "shared-memory": (
        "System V shared memory, which outlives a process",
        """\
def attempt():
    number = call("shmget", 0x68737421, 4096, 0o1600)
    call("shmctl", number, 0, 0)
    return "made shared memory\"""",
    ),
    "kernel-interfaces": (
        "bpf, perf, userfaultfd, the keyring",
        """\
def attempt():
    blank = ctypes.create_string_buffer(128)
    return first([
        lambda: call("bpf", 0, blank, 128) and "bpf",
        lambda: call("perf_event_open", blank, 0, -1, -1, 0) and "perf",
        lambda: call("userfaultfd", 1) and "userfaultfd",
        lambda: call("keyctl", 0, -3, 1) and "keyring",
    ])""",
    ),
    "knobs-of-the-machine": (
        "settings of the kernel and of the machine, opened for writing",
        """\
def attempt():
    places = ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper",
              "/sys/fs/cgroup/cgroup.procs", "/proc/1/oom_score_adj", "/dev/mem", "/dev/kmsg")
    return first([lambda p=p: os.close(os.open(p, os.O_WRONLY)) or "opened one" for p in places])""",
    ),
    "raise-the-limits": (
        "its own limits lifted, and 4 GiB taken",
        """\
def attempt():
    import resource
    try:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        pass
    return len(bytearray(4 << 30)) and "took 4 GiB\"""",
    ),
    "many-processes": (
        "two hundred processes at once",
        """\
def attempt():
    import time
    children = []
    try:
        for _ in range(200):
            pid = os.fork()
            if pid == 0:
                time.sleep(20)
                os._exit(0)
            children.append(pid)
        return "made 200 processes"
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)""",
    ),
    "many-threads": (
        "a thousand threads at once",
        """\
def attempt():
    import threading
    stop = threading.Event()
    try:
        for _ in range(1000):
            threading.Thread(target=stop.wait).start()
        return "made 1000 threads"
    finally:
        stop.set()""",
    ),
    "large-file": (
        "a file of 100 MiB",
        """\
def attempt():
    try:
        with open("large", "wb") as file:
            for _ in range(100):
                file.write(b"x" * (1 << 20))
        return "wrote 100 MiB"
    finally:
        os.unlink("large")""",
    ),
    "open-files": (
        "a thousand open files",
        """\
def attempt():
    handles = []
    try:
        for _ in range(1000):
            handles.append(os.open("/dev/null", 0))
        return "opened 1000 files"
    finally:
        for handle in handles:
            os.close(handle)""",
    ),
}


def source_of(attack: str, project: str, port: int) -> str:
    """The cell that tries an attack: after it, `reached` is what it reached, or "" where it was stopped.

    project: a file that must not be read; port: of a server that listens on the loopback address.
    """
    body = ATTACKS[attack][1].replace("PROJECT", repr(project)).replace("MARKER", MARKER).replace("PORT", str(port))
    return (
        f"{PRELUDE}\n\n{body}\n\n\ntry:\n    reached = attempt() or ''\nexcept Exception as error:\n    reached = ''\n"
    )


ALARM = '\nif reached:\n    raise SystemError(f"BROKE OUT: {reached}")'
PROVEN = """\
import os, signal
assert os.getpid() < 100_000 and open("/proc/1/comm").read().strip() == "bwrap", "not in a process namespace of its own"
"""
HOOKS = """\
import os, sys
evil = 'raise SystemError("BROKE OUT: code of another notebook ran")'
for name in ("sitecustomize.py", "usercustomize.py", "json.py", "course.py", "IPython.py", "hostile.pth", "x.so"):
    open(name, "w").write(evil)
site = f".local/lib/python3.{sys.version_info[1]}/site-packages"
for folder in (".ipython/profile_default/startup", site, ".config"):
    os.makedirs(folder, exist_ok=True)
    for name in ("00-first.py", "usercustomize.py", "hostile.pth"):
        open(os.path.join(folder, name), "w").write(evil)"""
LOOKS_FOR_HOOKS = """\
import os
left = [name for name in os.listdir(".")]
if left:
    raise SystemError(f"BROKE OUT: the notebook before left {left}")"""


def cases(project: str, port: int) -> list[Case]:
    """Every way out as a notebook; none of them may reach anything, and the answers around it stay right."""
    made = [
        Case(name, tries, in_a_cell(source_of(name, project, port) + ALARM), "passed", ALL)
        for name, (tries, _) in ATTACKS.items()
    ]
    return [
        *made,
        Case(
            "kill-everyone",
            "SIGKILL to every process that it can see, in a process namespace that has proven to be private",
            in_a_cell(f"{PROVEN}os.kill(-1, signal.SIGKILL)"),
            "passed",
            ALL,
        ),
        Case(
            "kill-the-parent",
            "SIGKILL to the process that forked it, in a process namespace that has proven to be private",
            in_a_cell(f"{PROVEN}os.kill(os.getppid(), signal.SIGKILL)"),
            "passed",
            ALL,
        ),
        Case(
            "leaves-hooks", "startup files of Python and IPython left in the scratch", in_a_cell(HOOKS), "passed", ALL
        ),
        Case("next-in-the-slot", "what the notebook before has left", in_a_cell(LOOKS_FOR_HOOKS), "passed", ALL),
    ]
