"""Each attack with one layer off at a time: what still stops it, as the table in docs/isolation.md.

python -m tests.hostile.matrix            # as root: runs everything as root and as nobody in particular, and writes
python -m tests.hostile.matrix --as-user  # prints what this user finds, as JSON; what the first one starts
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from grader.authoring.source import ROOT
from grader.engine.student import Gone
from grader.sandbox.slot import Limits, Slot
from grader.sandbox.walls import Layers, missing_layers
from tests.hostile.break_out import ATTACKS, source_of
from tests.hostile.corpus import PROJECT, Loopback, loopback

PAGE = ROOT / "docs" / "isolation.md"
LAYERS = ("bwrap", "landlock", "seccomp", "rlimits")
TITLES = {"bwrap": "bubblewrap", "landlock": "Landlock", "seccomp": "seccomp", "rlimits": "resource limits"}
USER = 65533  # owns nothing
ALL_ON = Layers()
CONFIGURATIONS: dict[str, Layers] = {
    "full": ALL_ON,
    **{f"full without {one}": replace(ALL_ON, **{one: False}) for one in LAYERS},
    **{f"only {one}": Layers(**{name: name == one for name in LAYERS}) for one in LAYERS},
    **{f"partial without {one}": replace(ALL_ON, bwrap=False, **{one: False}) for one in LAYERS if one != "bwrap"},
}
# What an attack comes to that one layer alone holds off, where that layer is gone and the others stand.
BOUND = {
    "signal-everyone": "without seccomp a signal reaches the processes of the slot and no other; the slot starts anew",
    "nested-namespaces": "what is made inside has no file, no network and no process that the slot has not",
    "outlive-the-notebook": "without seccomp it lives until the notebook ends, and is swept with its process namespace",
    "shared-memory": "without seccomp it lies in the slot's own IPC namespace, and in no other slot",
    "kernel-interfaces": "without seccomp what the kernel offers to everyone is offered to a notebook, faults included",
    "raise-the-limits": "memory is bounded by the resource limits alone; a control group would be a second bound",
    "many-threads": "threads are bounded by the resource limits alone",
    "open-files": "open files are bounded by the resource limits alone",
    "large-file": "without resource limits a file grows up to the 64 MiB of the scratch",
    "many-processes": "without seccomp the resource limits bound their number, where a slot has a uid of its own",
    "files-of-the-machine": "what it reads lies inside bubblewrap's own folders",
    "proc": "what it reads is of the slot's own processes",
    "knobs-of-the-machine": "what it opens is of the slot's own first process",
}
Found = dict[str, dict[str, str]]  # configuration -> attack -> what it reached, "" where it was stopped


def run(configurations: Collection[str], attacks: Collection[str]) -> Found:
    """Every attack under every configuration, as the present user."""
    found: Found = {}
    with loopback() as network:
        for number, name in enumerate(configurations):
            with Slot([], CONFIGURATIONS[name], number=100 + number, limits=Limits(cpu_seconds=20)) as slot:
                found[name] = {attack: _try(slot, attack, network) for attack in attacks}
    return found


def _try(slot: Slot, attack: str, network: Loopback) -> str:
    """What `attack` reached in a fresh child of `slot`; a child that it ended has reached nothing."""
    child = slot.spawn()
    try:
        child.receive(time.monotonic() + 10)
        source = source_of(attack, str(PROJECT), network.port) + "\nprint(reached)"
        child.send({"t": "cell", "i": 0, "source": source, "seconds": 15.0})
        end = child.receive(time.monotonic() + 16)
        if not end["ok"]:
            raise RuntimeError(f"the attack {attack!r} is itself broken: {end['ename']}: {end['evalue']}")
    except Gone:
        return ""
    finally:
        child.end()
    return "".join(output.get("text", "") for _, output in child.outputs).strip()


def as_user(arguments: Collection[str]) -> Found:
    """The same as a user who owns nothing, in a process that has given up root.

    The interpreter may lie in root's own home: a mount namespace of that process alone opens a way to it.
    """
    command = [sys.executable, "-m", "tests.hostile.matrix", "--as-user", *arguments]
    script = "\n".join(["set -e", "mount --make-rprivate /", *_open_up(), _GIVE_UP_ROOT])
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o777)
        env = {"PATH": "/usr/bin:/bin", "HOME": place, "TMPDIR": place, "LANG": "C.UTF-8"}
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", *command],
            cwd=ROOT, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(f"the run as a user failed: {done.stderr[-2000:]}")
    answer: Found = json.loads(done.stdout)
    return answer


_GIVE_UP_ROOT = f'exec setpriv --reuid {USER} --regid {USER} --clear-groups "$@"'


def _open_up() -> list[str]:
    """Shell lines that put an empty folder with the interpreter in it over each folder that only root may enter."""
    lines = []
    for base in {Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT}:
        closed = next((one for one in reversed(base.parents) if not one.stat().st_mode & 0o001), None)
        if closed is not None:
            lines += [
                "kept=$(mktemp -d)",
                f"mount --bind '{base}' $kept",
                f"mount -t tmpfs -o mode=755 tmpfs '{closed}'",
                f"mkdir -p '{base}'",
                f"mount --bind $kept '{base}'",
                "umount $kept && rmdir $kept",
            ]
    return lines


# ------------------------------------------------------------------------------------------------------------- the page
HEAD = """\
# What stops what

Made by `python -m tests.hostile.matrix`, which runs each attack of `tests/hostile/break_out.py` in a slot with one
layer switched off, with one layer alone, and with nothing but the resource limits of `none`. A test runs a sample again
and compares it with this page. The attacks are harmless where they get through: signal 0, loopback addresses, files
that are removed at once.

| level | layers | when |
|---|---|---|
| `full` | bubblewrap, Landlock, seccomp, resource limits | the default |
| `partial` | Landlock, seccomp, resource limits | where user namespaces are forbidden: *without bubblewrap* |
| `none` | resource limits | a notebook can read and write what its user can: *only resource limits* |

**stopped** means that the attack reached nothing. Anything else is what it reached.
"""
TAIL = """
Further, at every level: a notebook can use its processor and its memory up to the limits; it can see that it is
graded; the number of its files is bounded by its time alone; what the kernel itself gets wrong, no layer here puts
right. Without bubblewrap the scratch is a folder of the machine's temporary directory, and each file in it is limited,
not their sum. Landlock keeps files apart, and from version 6 on abstract sockets and signals; before that, signals
between processes of one uid are kept apart by seccomp alone."""


def page(root: Found, user: Found) -> str:
    """docs/isolation.md."""
    lines = [HEAD]
    for who, found in (("as root", root), ("as an ordinary user", user)):
        lines += _section(who, found)
    lines += _not_stopped(root, user)
    return "\n".join(lines) + "\n"


def _section(who: str, found: Found) -> list[str]:
    without = [f"full without {one}" for one in LAYERS]
    lines = [
        f"## One layer off, {who}",
        "",
        "| attack | stopped by each of these alone | all on | "
        + " | ".join(f"without {TITLES[one]}" for one in LAYERS)
        + " |",
        "|---|---|---|" + "---|" * len(LAYERS),
    ]
    for attack, (tries, _) in ATTACKS.items():
        cells = [_cell(found[name][attack]) for name in ("full", *without)]
        lines.append(f"| {tries} | {_alone(attack, found)} | {' | '.join(cells)} |")
    partial = [f"partial without {one}" for one in LAYERS[1:]]
    lines += [
        "",
        f"## `partial` with one more layer off, {who}",
        "",
        "| attack | partial | "
        + " | ".join(f"without {TITLES[one]}" for one in LAYERS[1:])
        + " | only resource limits (`none`) |",
        "|---|---|" + "---|" * len(LAYERS),
    ]
    for attack, (tries, _) in ATTACKS.items():
        names = ("full without bwrap", *partial, "only rlimits")
        lines.append(f"| {tries} | {' | '.join(_cell(found[name][attack]) for name in names)} |")
    return [*lines, ""]


def _alone(attack: str, found: Found) -> str:
    layers = [TITLES[one] for one in LAYERS if not found[f"only {one}"][attack]]
    return "none is needed: no such right" if len(layers) == len(LAYERS) else ", ".join(layers) or "none"


def _cell(reached: str) -> str:
    return f"**{reached}**" if reached else "stopped"


def _not_stopped(root: Found, user: Found) -> list[str]:
    """What the tables say, in sentences."""
    lines = ["## What is not stopped", ""]
    for who, found in (("as root", root), ("as an ordinary user", user)):
        open_ = [a for a in ATTACKS if found["full"][a]]
        lines.append(f"- `full`, {who}: {_listed(open_) or 'each attack is stopped'}.")
        single = [a for a in ATTACKS if any(found[f"full without {one}"][a] for one in LAYERS) and a not in open_]
        partial = [a for a in ATTACKS if found["full without bwrap"][a]]
        lines.append(f"- `partial`, {who}: {_listed(partial) or 'each attack is stopped'}.")
        weak = [a for a in ATTACKS if a not in partial and any(found[f"partial without {o}"][a] for o in LAYERS[1:])]
        lines.append(f"- `partial`, {who}, is held by one layer alone against: {_listed(weak) or 'no attack'}.")
        lines.append(f"- `full`, {who}, is held by one layer alone against{':' if single else ' no attack.'}")
        lines += [f"  - {ATTACKS[one][0]}: {BOUND.get(one, 'see the table')}." for one in single]
    return [*lines, TAIL]


def _listed(attacks: Collection[str]) -> str:
    return "; ".join(ATTACKS[attack][0] for attack in attacks)


def main() -> None:
    """Write the page, or print one user's findings."""
    if "--as-user" in sys.argv:
        chosen = json.loads(sys.argv[sys.argv.index("--as-user") + 1]) if len(sys.argv) > 2 else None
        names, attacks = chosen or (list(CONFIGURATIONS), list(ATTACKS))
        print(json.dumps(run(names, attacks)))
        return
    missing = missing_layers(alone=True)
    if missing or os.getuid() != 0:
        sys.exit(f"the matrix needs root and every layer; missing: {missing or 'root'}")
    PAGE.write_text(page(run(list(CONFIGURATIONS), list(ATTACKS)), as_user([])), encoding="utf-8", newline="\n")
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
