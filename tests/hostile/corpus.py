"""The corpus as a class: a folder a case, an innocent one after each, graded by the real command and looked at.

python -m tests.hostile.corpus            # grades it once and prints every row that is not as expected
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.authoring.source import ROOT
from tests.hostile import break_out, exhaust, files, forge, unlucky
from tests.hostile.cases import ALL, EXERCISES, Case, as_file, notebook

PROJECT = ROOT / "pyproject.toml"
_NAMES = ("Doe, Jr.", "李雷", "=1+1", "O\"Neil 'the' <b>", "two\nlines")  # folders called exactly so
_INNOCENT = "~"  # ends the name of the innocent folder after a case


@dataclass
class Loopback:
    """What listens on the loopback address while the corpus runs, and must hear nothing."""

    port: int
    sockets: list[socket.socket] = field(default_factory=list)

    def heard(self) -> int:
        """How many connections and datagrams have arrived."""
        count = 0
        for one in self.sockets:
            try:
                one.accept() if one.type == socket.SOCK_STREAM else one.recv(100)
                count += 1
            except BlockingIOError:
                continue
        return count


@contextmanager
def loopback() -> Iterator[Loopback]:
    """A TCP, a UDP and an abstract socket."""
    tcp, udp = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    abstract = socket.socket(socket.AF_UNIX)
    with tcp, udp, abstract:
        tcp.bind(("127.0.0.1", 0))
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        abstract.bind(f"\0{break_out.MARKER}-{port}")
        for one in (tcp, abstract):
            one.listen()
        for one in (tcp, udp, abstract):
            one.setblocking(False)
        yield Loopback(port, [tcp, udp, abstract])


def kinds(port: int) -> dict[str, list[Case]]:
    """Every case, by kind."""
    return {
        "forge": forge.CASES,
        "break_out": break_out.cases(str(PROJECT), port),
        "exhaust": exhaust.CASES,
        "files": files.CASES,
        "unlucky": unlucky.CASES,
    }


def class_of(port: int, defaults: bool = False) -> dict[str, Case]:
    """Folder name -> case, in the order in which they are graded."""
    chosen = [(kind, case) for kind, cases in kinds(port).items() for case in cases if case.defaults == defaults]
    return {
        case.name if case.name in _NAMES else f"{number:03}-{kind}-{case.name}": case
        for number, (kind, case) in enumerate(chosen)
    }


def write_class(folder: Path, cases: dict[str, Case]) -> None:
    """The submissions below `folder`, with an innocent one after each."""
    right = as_file(notebook())
    write_case(folder / "000-innocent", Case("", "", {"ch05.ipynb": right}, "passed", ALL))
    for name, case in cases.items():
        write_case(folder / name, case)
        write_case(folder / f"{name}{_INNOCENT}", Case("", "", {"ch05.ipynb": right}, "passed", ALL))


def write_case(folder: Path, case: Case) -> None:
    """The files of one submission."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if case.size:
            os.truncate(path, case.size)
        if name in case.ages:
            os.utime(path, (1_000_000_000, 1_000_000_000))
    for name, target in case.links:
        folder.mkdir(parents=True, exist_ok=True)
        if target == "|":
            os.mkfifo(folder / name)
        else:
            (folder / name).symlink_to(target)


@dataclass
class Graded:
    """What one run of the command came to."""

    code: int
    left: list[str]  # processes that outlived it
    rows: list[dict[str, Any]]
    book: bytes
    stderr: str


def grade(submissions: Path, out: Path, temporary: Path, short: bool, options: Sequence[str] = ()) -> Graded:
    """Run `grade`, with nothing but `temporary` to put slots in."""
    report = out.with_name(f"{out.name}-report.json")
    module = "tests.hostile.short" if short else "grader"
    command = [sys.executable, "-m", "tests.hostile.alone", str(report), sys.executable, "-m", module, "grade"]
    command += [str(submissions), "--out", str(out), "--secret-file", str(ROOT / "examples" / "class" / "secret.txt")]
    env = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run([*command, *options], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    said = json.loads(report.read_text(encoding="utf-8"))
    rows = json.loads((out / "grades.json").read_text(encoding="utf-8")) if (out / "grades.json").exists() else []
    book = (out / "gradebook.jsonl").read_bytes() if (out / "gradebook.jsonl").exists() else b""
    return Graded(said["code"], said["left"], rows, book, done.stderr)


def problems(rows: Sequence[dict[str, Any]], cases: dict[str, Case]) -> list[str]:
    """One sentence for each row that is not as its case says, and for each innocent who lost a point."""
    found = []
    by_student: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        by_student.setdefault(row["student"], {})[row["session"]] = row
    for name, case in cases.items():
        mine = by_student.pop(name, {})
        found += [f"{name}: {what}" for what in _differences(mine, case)]
        innocent = by_student.pop(f"{name}{_INNOCENT}", {}).get("ch05")
        if innocent is None or innocent["score"] != sum(ALL) or innocent["notes"]:
            found.append(f"the innocent after {name} has {innocent and (innocent['score'], innocent['notes'])}")
    return [*found, *(f"{name}: not expected" for name in by_student if name != "000-innocent")]


def _differences(mine: dict[str, dict[str, Any]], case: Case) -> list[str]:
    row = mine.pop("ch05" if case.points is not None else "", None)
    if row is None:
        return [f"there is no row, only {sorted(mine)}"]
    points = {one["exercise"]: one["points"] for one in row["exercises"]}
    wanted = dict(zip(EXERCISES, case.points, strict=True)) if case.points is not None else {}
    said = said_of(row)
    found = [f"status {row['status']}, not {case.status}"] * (row["status"] != case.status)
    found += [f"points {points}, not {wanted}"] * (points != wanted)
    found += [f"nowhere says {text!r}" for text in case.says if text not in said]
    found += [f"it broke out: {said}"] * ("BROKE OUT" in said)
    others = [(session, other["status"], other["score"]) for session, other in mine.items()]
    found += [f"further rows {others}, not {list(case.also)}"] * (others != list(case.also))
    return [f"{one} ({said[:600]})" for one in found]


def differing(one: bytes, other: bytes) -> list[str]:
    """The first places in which two gradebooks differ, each with both texts."""
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    payloads = [(json.loads(mine)["payload"], json.loads(theirs)["payload"]) for mine, theirs in pairs]
    return [
        f"{mine['student']} {mine.get('exercise', '')} {key}: {mine.get(key)} and {theirs.get(key)}"
        for mine, theirs in payloads
        for key in mine
        if mine.get(key) != theirs.get(key)
    ]


def said_of(row: dict[str, Any]) -> str:
    """Everything that a row says in words: reason, notes, errors of cells, reasons of cases."""
    cases = [one["reason"] for exercise in row["exercises"] for one in exercise["cases"] if one["reason"]]
    errors = [error["error"] for error in row["cell_errors"]]
    return "\n".join(dict.fromkeys([row["reason"], *row["notes"], *errors, *cases]))


def main() -> None:
    """Grade the corpus once and print what is not as expected."""
    with tempfile.TemporaryDirectory() as place, loopback() as network:
        folder = Path(place)
        (folder / "tmp").mkdir()
        cases = class_of(network.port, defaults="--defaults" in sys.argv)
        write_class(folder / "class", cases)
        graded = grade(folder / "class", folder / "out", folder / "tmp", short="--defaults" not in sys.argv)
        for line in problems(graded.rows, cases):
            print(line)
        print(f"{len(cases)} cases, exit code {graded.code}, left {graded.left}, heard {network.heard()}")
        print(graded.stderr[-2000:])


if __name__ == "__main__":
    main()
