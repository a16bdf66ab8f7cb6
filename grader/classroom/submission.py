"""Finds out what was handed in: whose notebook it is, which sessions it belongs to, and which copy counts.

A session is known by content alone: by the exercises that the notebook checks, stubs or defines.
"""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.classroom.notebook_file import Cell, UnreadableError, read_notebook
from grader.engine.exercise import Session
from grader.sandbox.supervisor import Paper

_CHECKED = re.compile(r"\bcheck\(\s*[\"'](ch\d\d-e\d+)[\"']")
_MENTIONED = re.compile(r"[\"'](ch\d\d-e\d+)\b")


class NothingFoundError(Exception):
    """There is no notebook under the paths that were given; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One notebook of one student for one session, or the reason why there is nothing to judge.

    student: named by the folder; file: the path below the root that was given, with forward slashes; session: "chNN",
    or "" where none was recognised; digest: SHA-256 of the file; status and reason: set where it cannot be judged;
    notes: what an instructor should know about how it was chosen. What is graded is read anew, by `paper_of`, when its
    turn comes: a large class is not held in memory.
    """

    student: str
    file: str
    path: Path
    session: str = ""
    digest: str = ""
    status: str = ""
    reason: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def judgeable(self) -> bool:
        """Whether there is something to judge."""
        return not self.status

    @property
    def order(self) -> tuple[str, str, str]:
        """The order of a gradebook: by student, session and file."""
        return (self.student, self.session, self.file)


def collect(roots: Iterable[Path], sessions: Mapping[str, Session], only: Sequence[str] = ()) -> list[Submission]:
    """Everything handed in under `roots`, in the order of the gradebook, one entry a student and session.

    only: session ids; notebooks of other sessions are left out. Raises `NothingFoundError`.
    """
    roots = list(roots)
    # By path, so that a folder given twice, or beside one that holds it, gives each notebook once.
    found = {one.path.absolute(): one for root in reversed(roots) for one in _notebooks_under(root)}
    if not found:
        raise NothingFoundError("there is no .ipynb file under " + ", ".join(str(root) for root in roots))
    distinct = _with_distinct_names(list(found.values()))
    chosen = _newest([part for one in distinct for part in _recognise(one, sessions)])
    # What cannot be read may belong to any session: it keeps its row.
    return sorted(
        (one for one in chosen if not only or one.session in only or one.status == "unreadable"),
        key=lambda one: one.order,
    )


def _notebooks_under(root: Path) -> list[Submission]:
    """The folder right above a notebook names the student; a notebook directly in `root` is named by its own name."""
    if not root.exists():
        raise NothingFoundError(f"{root} does not exist")
    if not root.is_dir():
        return [Submission(_as_text(root.stem), _as_text(root.name), root)]
    entries = []
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.suffix.lower() == ".ipynb" and not hidden and not (path.is_dir() and not path.is_symlink()):
            student = path.stem if len(inside.parts) == 1 else path.parent.name
            entries.append(Submission(_as_text(student), _as_text(inside.as_posix()), path))
    return entries


def _as_text(name: str) -> str:
    """A file name as text that can be written anywhere: bytes that are no UTF-8 are spelled out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _with_distinct_names(found: list[Submission]) -> list[Submission]:
    """Two folders of one name in different places are two students: both are named by as much of their path as tells
    them apart."""
    places: dict[str, set[Path]] = defaultdict(set)
    for one in found:
        places[one.student].add(_place(one))
    return [replace(one, student=_name_among(places[one.student], _place(one), one.student)) for one in found]


def _place(one: Submission) -> Path:
    return one.path.absolute().parent if _as_text(one.path.parent.name) == one.student else one.path.absolute()


def _name_among(places: set[Path], place: Path, short: str) -> str:
    if len(places) == 1:
        return short
    depth = 2
    while len({one.parts[-depth:] for one in places}) < len(places):
        depth += 1
    return _as_text("/".join(place.parts[-depth:]))


def _recognise(one: Submission, sessions: Mapping[str, Session]) -> list[Submission]:
    try:
        content, cells = read_notebook(one.path)
    except UnreadableError as problem:
        return [replace(one, digest=_digest_of_file(one.path), status="unreadable", reason=str(problem))]
    digest = hashlib.sha256(content).hexdigest()
    code = [cell for cell in cells if cell.kind == "code"]
    belongs = sessions_of(code, sessions)
    if not belongs:
        reason = "it checks and defines no exercise of this course"
        return [replace(one, digest=digest, status="not_found", reason=reason)]
    several = (f"the file holds exercises of {' and '.join(belongs)}; each is graded",) if len(belongs) > 1 else ()
    return [replace(one, session=name, digest=digest, notes=several) for name in belongs]


def paper_of(one: Submission, session: Session) -> Paper:
    """What is graded. Raises `UnreadableError` where the file is no longer what it was when it was found."""
    content, cells = read_notebook(one.path)
    if hashlib.sha256(content).hexdigest() != one.digest:
        raise UnreadableError("the file changed while the class was being graded: run the same command again")
    return _paper(cells, session)


def sessions_of(code: Sequence[Cell], sessions: Mapping[str, Session]) -> list[str]:
    """The sessions of a notebook: by its checks, else by any exercise that it names, else by what it defines."""
    text = "\n".join(cell.source for cell in code)
    for pattern in (_CHECKED, _MENTIONED):
        named = sorted({exercise.partition("-")[0] for exercise in pattern.findall(text)} & set(sessions))
        if named:
            return named
    defined = []
    for name, session in sessions.items():
        provided = {one for exercise in session.exercises for one in exercise.provides}
        if sum(_defines(text, one) for one in provided) * 2 > len(provided):
            defined.append(name)
    return defined[:1]


def _paper(cells: Sequence[Cell], session: Session) -> Paper:
    provided = sorted({name for exercise in session.exercises for name in exercise.provides})
    elsewhere = {}
    for name in provided:
        for cell in cells:
            if cell.kind != "code" and _defines(cell.source, name):
                elsewhere[name] = f"cell {cell.number} looks like it, but it is a {cell.kind} cell and does not run"
    return Paper(tuple(cell.source for cell in cells if cell.kind == "code"), elsewhere)


def _defines(text: str, name: str) -> bool:
    return re.search(rf"^\s*(?:(?:async\s+)?def|class)\s+{name}\b|^{name}\s*=", text, re.MULTILINE) is not None


def _newest(read: list[Submission]) -> list[Submission]:
    """Of several copies for one session the newest counts; all are named in a note."""
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    chosen = []
    for one in read:
        if not one.judgeable:
            chosen.append(one)
        else:
            groups[one.student, one.session].append(one)
    for copies in groups.values():
        copies.sort(key=lambda one: (one.path.stat().st_mtime_ns, one.file))
        newest, older = copies[-1], copies[:-1]
        if older:
            note = f"{newest.file} is the newest and was graded; left out: {', '.join(one.file for one in older)}"
            newest = replace(newest, notes=(*newest.notes, note))
        chosen.append(newest)
    return chosen


def _digest_of_file(path: Path) -> str:
    """A digest for the row of a file that cannot be read: of its first bytes and its size, however large it is."""
    try:
        if path.is_file() and not path.is_symlink():  # to open a pipe would mean to wait for somebody to write into it
            with path.open("rb") as file:
                start = file.read(1 << 16)
            return hashlib.sha256(b"%d\0" % path.stat().st_size + start).hexdigest()
    except OSError:
        pass
    return hashlib.sha256(b"unreadable").hexdigest()
