"""What a forked child puts around itself before it runs a line of the notebook: rlimits, Landlock, seccomp.

Everything that can be prepared is prepared once, in the zygote; the child only closes the doors. Each function fails
closed: whatever does not go through raises, and the child ends without having run anything.
"""

# ruff: noqa: PTH112

import ctypes
import errno
import os
import resource
import stat
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

# ------------------------------------------------------------------------------------------------------- rlimits
_MIB = 1 << 20


def limit_resources(cpu_seconds: int, memory_mib: int, file_mib: int, open_files: int, tasks: int | None) -> None:
    """Hard limits on what one child may use; a child cannot raise them again.

    tasks: threads of this uid, or None where the uid is shared with processes that are none of ours.
    """
    limits = {
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + 1),  # SIGXCPU, then SIGKILL
        resource.RLIMIT_AS: (memory_mib * _MIB, memory_mib * _MIB),
        resource.RLIMIT_FSIZE: (file_mib * _MIB, file_mib * _MIB),
        resource.RLIMIT_NOFILE: (open_files, open_files),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
    }
    if tasks is not None:
        limits[resource.RLIMIT_NPROC] = (tasks, tasks)
    for name, pair in limits.items():
        resource.setrlimit(name, pair)


# ------------------------------------------------------------------------------------------------------- Landlock
class PathRules:
    """A Landlock ruleset, filled in the zygote and closed around each child.

    readable: files and folders that may be read. listable: folders whose names may be read, their files not.
    writable: files and folders that may be read and written. minimum: the lowest Landlock version that will do;
    a lower one raises, because the library would silently leave rights out.
    """

    def __init__(self, readable: Sequence[str], listable: Sequence[str], writable: Sequence[str], minimum: int) -> None:
        import landlockpy

        version = landlockpy.abi_version()
        if version < minimum:
            raise RuntimeError(f"Landlock version {minimum} is needed and this kernel has {version}")
        self._access = landlockpy.AccessFS
        self._rules = landlockpy.Ruleset(scoped=landlockpy.Scope.ABSTRACT_UNIX_SOCKET | landlockpy.Scope.SIGNAL)
        read = self._access.READ_FILE | self._access.READ_DIR
        write = self._rules.handled_fs & ~(self._access.EXECUTE | self._access.MAKE_CHAR | self._access.MAKE_BLOCK)
        for paths, rights in ((readable, read), (listable, self._access.READ_DIR), (writable, write)):
            for path in paths:
                self._allow(path, rights)

    def _allow(self, path: str, rights: Any) -> None:
        on_a_file = self._access.READ_FILE | self._access.WRITE_FILE | self._access.TRUNCATE | self._access.IOCTL_DEV
        self._rules.allow_path(path, rights if os.path.isdir(path) else rights & on_a_file)

    def fileno(self) -> int:
        """The descriptor that must stay open until `close_around_me`."""
        return int(self._rules.fileno())

    def close_around_me(self) -> None:
        """Restrict the calling process, for good."""
        self._rules.restrict()
        self._rules.close()


# ------------------------------------------------------------------------------------------------------- seccomp
# An allow list: a call that is not named here does not exist (ENOSYS), so a kernel newer than this file opens nothing.
_ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3
open openat openat2 creat access faccessat faccessat2 stat fstat lstat newfstatat statx statfs fstatfs
getdents getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat rmdir unlink unlinkat link linkat
symlink symlinkat readlink readlinkat umask truncate ftruncate fallocate fadvise64 readahead fsync fdatasync flock
utime utimes utimensat futimesat getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr sendfile copy_file_range
mmap munmap mprotect mremap madvise brk msync mincore membarrier
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack restart_syscall pause
futex futex_waitv set_robust_list get_robust_list rseq set_tid_address sched_yield sched_getaffinity sched_getparam
sched_getscheduler sched_get_priority_max sched_get_priority_min getcpu exit exit_group wait4 waitid
clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times alarm getitimer setitimer
timer_create timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime
getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid
getrandom uname sysinfo getrusage getrlimit getpriority
select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
pipe pipe2 sendto recvfrom sendmsg recvmsg getsockname getpeername getsockopt shutdown
""".split()
# Refused like any other call, but with EPERM: these are the ones that ordinary code meets, and the error should say
# "not permitted", not "not implemented".
_REFUSED = """
fork vfork execve execveat socket connect bind listen accept accept4 setsockopt ptrace process_vm_readv
process_vm_writev process_madvise process_mrelease kcmp pidfd_open pidfd_getfd pidfd_send_signal tkill
rt_sigqueueinfo rt_tgsigqueueinfo mount umount2 move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr
pivot_root chroot unshare setns bpf perf_event_open keyctl add_key request_key userfaultfd io_uring_setup
io_uring_enter io_uring_register memfd_create memfd_secret name_to_handle_at open_by_handle_at init_module
finit_module delete_module kexec_load kexec_file_load swapon swapoff reboot acct quotactl personality setpriority
sched_setscheduler sched_setparam sched_setattr sched_setaffinity ioprio_set shmget shmat shmctl shmdt msgget msgsnd
msgrcv msgctl semget semop semctl mq_open mq_unlink mq_notify chown fchown lchown fchownat setxattr lsetxattr
fsetxattr removexattr lremovexattr fremovexattr setuid setgid setreuid setregid setresuid setresgid setgroups
setfsuid setfsgid setsid setpgid capset setrlimit splice vmsplice tee syslog sethostname setdomainname settimeofday
clock_settime clock_adjtime adjtimex vhangup ioperm iopl modify_ldt fanotify_init fanotify_mark seccomp
landlock_create_ruleset mlock mlock2 mlockall migrate_pages move_pages mbind set_mempolicy lookup_dcookie
""".split()
_CLONE_THREAD = 0x0001_0000
_CLONE_NEW = 0x7E02_0080  # every namespace that clone can make
_AF_UNIX = 1
# The low 32 bits are all that the kernel looks at, and a filter compares 64: only a list of what is allowed is safe.
_IOCTL = {
    "TCGETS": 0x5401,
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
}
_FCNTL = {
    "F_DUPFD": 0,
    "F_GETFD": 1,
    "F_SETFD": 2,
    "F_GETFL": 3,
    "F_SETFL": 4,
    "F_GETLK": 5,
    "F_SETLK": 6,
    "F_SETLKW": 7,
    "F_OFD_GETLK": 36,
    "F_OFD_SETLK": 37,
    "F_OFD_SETLKW": 38,
    "F_DUPFD_CLOEXEC": 1030,
    "F_GETPIPE_SZ": 1032,
}  # fmt: skip - no F_SETOWN, F_SETSIG: they would send a signal of one's choice to another process
_PRCTL = {
    "PR_GET_PDEATHSIG": 2,
    "PR_GET_DUMPABLE": 3,
    "PR_SET_NAME": 15,
    "PR_GET_NAME": 16,
    "PR_GET_SECCOMP": 21,
    "PR_GET_NO_NEW_PRIVS": 39,
    "PR_SET_VMA": 0x53564D41,
}  # fmt: skip - no PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER
_SOME_PID = 0x7EC0_DE5A  # above every real process id: stands in the compiled filter for that of the child
_FULL_WORD = 0xFFFF_FFFF_FFFF_FFFF


class CallRules:
    """A seccomp filter: compiled once, in the zygote, and loaded by each child with its own process id in it."""

    def __init__(self) -> None:
        import pyseccomp

        self._lib = pyseccomp
        self._filter = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))
        self._filter.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)  # no second set of call numbers
        self._filter.set_attr(pyseccomp.Attr.CTL_OPTIMIZE, 2)  # a tree: the kernel walks it for every call there is
        for name in _ALLOWED:
            self._rule(pyseccomp.ALLOW, name)
        for name in _REFUSED:
            self._rule(pyseccomp.ERRNO(errno.EPERM), name)
        self._threads_only()
        for name, position, values in (("ioctl", 1, _IOCTL), ("fcntl", 1, _FCNTL), ("prctl", 0, _PRCTL)):
            for value in values.values():
                self._rule(pyseccomp.ALLOW, name, (position, value))
        self._one_value("socketpair", 0, _AF_UNIX)
        self._one_value("prlimit64", 2, 0)  # look at a limit, not change it
        self._no_special_files()
        self._one_value("kill", 0, _SOME_PID)
        self._one_value("tgkill", 0, _SOME_PID)
        self._program = _compiled(self._filter)
        if _word(_SOME_PID) not in self._program:
            raise RuntimeError("the compiled seccomp filter does not compare the process id")

    def load(self) -> None:
        """Close the filter around the calling process, for good; the process may then signal itself and no other."""
        no_new_privileges()
        program = self._program.replace(_word(_SOME_PID), _word(os.getpid()))
        whole = _Program(len(program) // _INSTRUCTION, program)
        _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(whole))

    def _threads_only(self) -> None:
        """Threads work, processes do not; clone3 hides its flags from a filter, so the C library is sent to clone."""
        self._rule(self._lib.ALLOW, "clone", (0, _CLONE_THREAD, _CLONE_THREAD | _CLONE_NEW))
        self._rule(self._lib.ERRNO(errno.EPERM), "clone", (0, 0, _CLONE_THREAD))

    def _no_special_files(self) -> None:
        for name, position in (("mknod", 1), ("mknodat", 2)):
            self._rule(self._lib.ALLOW, name, (position, stat.S_IFIFO, stat.S_IFMT(0o177777)))
        for name, position in (("chmod", 1), ("fchmod", 1), ("fchmodat", 2)):
            self._rule(self._lib.ALLOW, name, (position, 0, stat.S_ISUID | stat.S_ISGID))
            for bit in (stat.S_ISUID, stat.S_ISGID):
                self._rule(self._lib.ERRNO(errno.EPERM), name, (position, bit, bit))

    def _one_value(self, name: str, position: int, value: int) -> None:
        """Allow the call with exactly this argument and answer EPERM to every other."""
        self._rule(self._lib.ALLOW, name, (position, value))
        number = self._lib.resolve_syscall(self._lib.Arch.NATIVE, name)
        self._filter.add_rule(self._lib.ERRNO(errno.EPERM), number, self._lib.Arg(position, self._lib.NE, value))

    def _rule(self, action: int, name: str, where: tuple[int, int] | tuple[int, int, int] | None = None) -> None:
        """Add one rule; where = (argument, value) or (argument, value, mask). A name unknown here stays refused."""
        number = self._lib.resolve_syscall(self._lib.Arch.NATIVE, name)
        if number == -1:
            return
        if where is None:
            self._filter.add_rule(action, number)
            return
        position, value, mask = where if len(where) == 3 else (*where, _FULL_WORD)
        self._filter.add_rule(action, number, self._lib.Arg(position, self._lib.MASKED_EQ, mask, value))


class _Program(ctypes.Structure):
    """struct sock_fprog: a compiled filter as prctl takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _compiled(rules: Any) -> bytes:
    """The kernel's program for `rules`; compiling takes the library several ms, too long for every child."""
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _word(value: int) -> bytes:
    """A 32-bit constant as it stands in a compiled filter."""
    return value.to_bytes(4, sys.byteorder)


# ------------------------------------------------------------------------------------------------------- prctl
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, _INSTRUCTION = 22, 2, 8  # the last: bytes of one BPF instruction
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
_libc = ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int, pointer: int = 0) -> None:
    if _libc.prctl(option, ctypes.c_ulong(value), ctypes.c_void_p(pointer), 0, 0) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}, {value}): {os.strerror(code)}")


def die_with_parent(sig: int) -> None:
    """Have the kernel send `sig` to this process when the thread that forked it ends."""
    _prctl(_PR_SET_PDEATHSIG, sig)


def hide_memory() -> None:
    """No process of the same uid may trace this one or read its memory; children inherit it."""
    _prctl(_PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Descendants whose parent has ended become children of this process, so that it can reap them."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def no_new_privileges() -> None:
    """No program started from here on gains rights by its owner or its capabilities."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
