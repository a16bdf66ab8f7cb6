"""The warm process of a slot: imports once, then forks one child per notebook and cleans up after it.

Runs inside the wall and holds no secret. It speaks with the supervisor over one SEQPACKET socket, whose descriptor is
its only argument: the first packet is the configuration; after that each packet brings a child's two descriptors and
is answered by the child's pidfd and, when the child has ended, by a report.
"""

# ruff: noqa: PTH115, PTH123, PTH208

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import stat
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

Config = Mapping[str, Any]

_PACKET = 1 << 18
_COLD = frozenset({"course.live", "course.mcp_server"})  # they bring network libraries along, which make a fork slow
_ROUNDS = 1000  # of looking for survivors where no process namespace ends them all at once


class Withheld(MetaPathFinder):
    """Says why a module of `course` cannot be imported in the session that builds it."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for name in self._names:
            if fullname == name or fullname.startswith(f"{name}."):
                raise ModuleNotFoundError(
                    f"{fullname} is what this session builds, so it is not here while the session is graded.",
                    name=fullname,
                )
        return None


def main() -> NoReturn:
    """Become a slot's zygote; ends when the supervisor closes its end of the socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    config: Config = json.loads(control.recv(_PACKET))
    _give_up_root(config["uid"])
    sys.path[:] = config["path"]
    sys.meta_path.insert(0, Withheld(config["withheld"]))

    from grader.sandbox import child, confine
    from grader.sandbox.shell import build_shell

    _import_course()
    confine.die_with_parent(signal.SIGKILL)
    confine.no_new_privileges()
    confine.hide_memory()
    confine.adopt_orphans()
    walls = child.Walls(config)
    private = _private_pid_namespace(config["supervisor_pid_namespace"])
    if config["layers"]["bwrap"] and not private:
        raise SystemExit("bubblewrap was asked for, but this is not a process namespace of its own")
    shell = build_shell()
    shell.compile_ahead(config["given"])
    child.prepare()
    empty(config["scratch"])  # of what IPython wrote while it started
    _assert_one_task()
    gc.collect()
    gc.freeze()
    control.send(b'{"ready":true}')
    while True:
        packet, descriptors, _, _ = socket.recv_fds(control, _PACKET, 2)
        if not packet:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            control.close()
            child.main(shell, config, walls, *descriptors)
        _hand_over(control, pid, descriptors)
        control.send(json.dumps(_wait(pid, private, config["scratch"])).encode())


def _give_up_root(uid: int | None) -> None:
    """bubblewrap made its mounts as root; nothing from here on needs a right that a student could use."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def _import_course() -> None:
    """Import what is mounted of `course` now, so that no child has to."""
    import course

    for module in pkgutil.walk_packages(course.__path__, "course.", onerror=lambda name: None):
        if module.name not in _COLD:
            with contextlib.suppress(ImportError):  # it needs a withheld module; a notebook will be told so
                importlib.import_module(module.name)


def _private_pid_namespace(of_supervisor: str) -> bool:
    """Whether a signal to "all processes" reaches nothing but this slot.

    That must be proven before it is sent: as root and in the machine's own namespace it would end everything.
    """
    if os.readlink("/proc/self/ns/pid") == of_supervisor or os.getppid() != 1:
        return False
    with open("/proc/1/comm", encoding="utf-8") as file:
        return file.read().strip() == "bwrap"


def _assert_one_task() -> None:
    """A fork copies only the calling thread: a lock that another one held would stay locked in every child."""
    tasks = os.listdir("/proc/self/task")
    if len(tasks) != 1:
        raise SystemExit(f"the zygote has {len(tasks)} threads and must have one: something that it imports starts one")


def _hand_over(control: socket.socket, pid: int, descriptors: Sequence[int]) -> None:
    handle = os.pidfd_open(pid)
    socket.send_fds(control, [b'{"forked":true}'], [handle])
    for fd in (handle, *descriptors):
        os.close(fd)


def _wait(pid: int, private: bool, scratch: str) -> dict[str, Any]:
    """Wait for the child, end whatever it left behind, empty the scratch, and say how it went."""
    _, status, used = os.wait4(pid, 0)
    swept = _sweep_namespace() if private else _sweep_descendants()
    empty(scratch)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_mib": used.ru_maxrss / 1024,
        "swept": swept,
    }


# ------------------------------------------------------------------------------------------------------- survivors
def _sweep_namespace() -> int:
    """Kill every process of this pid namespace but its init and this one, and count them. Only when it is private."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    return _reap_all()


def _sweep_descendants() -> int:
    """Without a namespace: kill this process's own children, orphans included, until none is left."""
    count = 0
    for _ in range(_ROUNDS):
        children = _own_children()
        for pid in children:
            with contextlib.suppress(ProcessLookupError):  # not yet reaped, so the number is still its own
                os.kill(pid, signal.SIGKILL)
        if not children:
            break
        count += _reap_some()
    return count


def _own_children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except FileNotFoundError:
        return []  # a kernel without this list; the layers that forbid processes still hold


def _reap_all() -> int:
    return sum(1 for _ in _reaped(0))


def _reap_some() -> int:
    """Wait for one child, then take those that have ended too: their orphans come to us only now."""
    try:
        os.waitpid(-1, 0)
    except ChildProcessError:
        return 0
    return 1 + sum(1 for _ in _reaped(os.WNOHANG))


def _reaped(options: int) -> Iterator[int]:
    while True:
        try:
            pid, _ = os.waitpid(-1, options)
        except ChildProcessError:
            return
        if pid == 0:
            return
        yield pid


# ------------------------------------------------------------------------------------------------------- scratch
def empty(folder: str) -> None:
    """Remove everything inside `folder`, however deep and whatever its modes; no link is followed.

    No recursion: each subfolder's own subfolders are moved up beside it, so every folder is one level deep when its
    turn comes. Nothing may run in `folder` meanwhile.
    """
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        moved = 0
        while folders := _unlink_files(root):
            for name in folders:
                moved = _lift(root, name, moved)
                os.rmdir(name, dir_fd=root)
    finally:
        os.close(root)


def _lift(root: int, name: str, moved: int) -> int:
    """Move the subfolders of `name` up into `root` under numbers that are not taken, and unlink its files."""
    here = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
    try:
        for below in _unlink_files(here):
            while True:
                moved += 1
                try:
                    os.stat(f"moved-{moved}", dir_fd=root, follow_symlinks=False)
                except FileNotFoundError:
                    break
            os.rename(below, f"moved-{moved}", src_dir_fd=here, dst_dir_fd=root)
    finally:
        os.close(here)
    return moved


def _unlink_files(directory: int) -> list[str]:
    """Unlink all that is no folder in `directory`; open up the folders and return their names."""
    folders = []
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.chmod(entry.name, stat.S_IRWXU, dir_fd=directory)
                folders.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=directory)
    return folders


if __name__ == "__main__":
    main()
