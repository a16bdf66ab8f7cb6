"""What a student has done so far: one small readable file beside the notebooks, safe with two kernels at once.

    progress.json    {"ch05-e1": {"points": 11, "of": 11, "passed": true, "hints": 1, "gave_up": false}, ...}

The best result of an exercise is kept. It is the student's own record; no verdict is ever read from it.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Any

from course.markup import BOX, CELL, header, said
from grader.checks import sessions
from grader.engine.exercise import Exercise, Session
from grader.engine.verdict import Verdict

FILE = "progress.json"
_WAIT_SECONDS = 2.0  # for another kernel that writes at this moment; a lock that stands longer was left behind
_BLANK: dict[str, Any] = {"points": 0, "of": 0, "passed": False, "hints": 0, "gave_up": False}

Entries = dict[str, dict[str, Any]]
_unwritten: Entries = {}  # of this kernel, where the folder cannot be written to


def entry(exercise_id: str) -> dict[str, Any]:
    """What is known of one exercise; zeros where nothing is."""
    return {**_BLANK, **_read().get(exercise_id, {})}


def note_verdict(verdict: Verdict) -> None:
    """Remember a verdict, where it is the best so far."""

    def better(kept: dict[str, Any]) -> None:
        kept["points"] = max(kept["points"], verdict.points)
        kept["of"] = verdict.max_points
        kept["passed"] = kept["passed"] or verdict.passed

    _change(verdict.exercise, better)


def note_hint(exercise_id: str) -> int:
    """Count one more hint; returns how many were shown before."""
    before = 0

    def one_more(kept: dict[str, Any]) -> None:
        nonlocal before
        before = int(kept["hints"])
        kept["hints"] = before + 1

    _change(exercise_id, one_more)
    return before


def note_give_up(exercise_id: str) -> None:
    """Remember that the solution was asked for before a pass."""
    _change(exercise_id, lambda kept: kept.update(gave_up=True))


def line(session: Session) -> str:
    """One line on a session: exercises done, points, the next one."""
    entries = _read()
    done = [one for one in session.exercises if entries.get(one.id, {}).get("passed")]
    points = sum(int(entries.get(one.id, {}).get("points", 0)) for one in session.exercises)
    most = sum(one.points for one in session.exercises)
    counted = f"{len(done)} of {len(session.exercises)} exercises done, {points} of {most} points"
    head = f"session {session.number}, best so far: {counted}"
    rest = [one for one in session.exercises if one not in done]
    return f"{head}; next: {rest[0].id} {rest[0].title}" if rest else f"{head}; all done"


class Progress:
    """What `progress()` shows: a row an exercise, in every session that was begun."""

    def __init__(self) -> None:
        entries = _read()
        begun = [one for one in sessions().values() if any(e.id in entries for e in one.exercises)]
        self._sessions = begun or list(sessions().values())[:1]
        self._entries = entries

    def _rows(self, session: Session) -> Iterator[tuple[str, str, str, str]]:
        for exercise in session.exercises:
            kept = {**_BLANK, **self._entries.get(exercise.id, {})}
            yield exercise.id, exercise.title, f"{kept['points']} of {exercise.points}", _remarks(exercise, kept)

    def __repr__(self) -> str:
        lines = []
        for session in self._sessions:
            lines.append(line(session))
            lines += [
                f"  {name}  {title:<40} {points:>10}  {note}" for name, title, points, note in self._rows(session)
            ]
        return "\n".join(text.rstrip() for text in lines)

    def _repr_html_(self) -> str:
        heads = "".join(header(text, "col", "font-weight:bold") for text in ("exercise", "title", "points", "so far"))
        parts = []
        for session in self._sessions:
            rows = "".join(_row_html(*row) for row in self._rows(session))
            table = f'<table style="border-collapse:collapse"><tr>{heads}</tr>{rows}</table>'
            parts.append(f'<section style="{BOX}"><div>{escape(line(session))}</div>{table}</section>')
        return "".join(parts)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _row_html(name: str, title: str, points: str, note: str) -> str:
    cells = "".join(f'<td style="{CELL}">{text}</td>' for text in (said(title), escape(points), escape(note)))
    return f"<tr>{header(escape(name), 'row')}{cells}</tr>"


def progress() -> Progress:
    """What you have done so far, in every session that you have begun."""
    return Progress()


def _remarks(exercise: Exercise, kept: dict[str, Any]) -> str:
    said = ["done"] * bool(kept["passed"])
    if kept["hints"]:
        said.append(f"{min(kept['hints'], len(exercise.hints))} of {len(exercise.hints)} hints")
    return ", ".join([*said, *(["solution shown before a pass"] * bool(kept["gave_up"]))])


# ---------------------------------------------------------------------------------------------------------- the file
def _path() -> Path:
    return Path.cwd() / FILE


def _read() -> Entries:
    """What the file holds; a file that somebody broke by hand is set aside, not lost."""
    try:
        held = json.loads(_path().read_text(encoding="utf-8"))
        if isinstance(held, dict) and all(map(_is_entry, held.values())):
            return {**held, **_unwritten}
    except FileNotFoundError:
        return dict(_unwritten)
    except (OSError, ValueError, RecursionError):
        pass
    with suppress(OSError):
        os.replace(_path(), _path().with_name(f"{FILE}.broken"))  # noqa: PTH105 - atomic on every system
    return dict(_unwritten)


def _is_entry(value: object) -> bool:
    return isinstance(value, dict) and all(type(value.get(key, blank)) is type(blank) for key, blank in _BLANK.items())


def _change(exercise_id: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Read, change and write as one step. Where the folder cannot be written to, this kernel remembers."""
    try:
        with _locked():
            entries = _changed(exercise_id, change)
            beside = _path().with_name(f"{FILE}.{os.getpid()}")
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                json.dump(dict(sorted(entries.items())), file, indent=1)
                file.write("\n")
            os.replace(beside, _path())  # noqa: PTH105 - atomic on every system
    except OSError:
        _unwritten[exercise_id] = _changed(exercise_id, change)[exercise_id]


def _changed(exercise_id: str, change: Callable[[dict[str, Any]], None]) -> Entries:
    entries = _read()
    kept = {**_BLANK, **entries.get(exercise_id, {})}
    change(kept)
    return {**entries, exercise_id: kept}


@contextmanager
def _locked() -> Iterator[None]:
    """A lock file: it works on every system, in a browser too."""
    lock = _path().with_name(f"{FILE}.lock")
    waits_for, deadline = None, 0.0
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            held = _made_at(lock)
            if held != waits_for:
                waits_for, deadline = held, time.monotonic() + _WAIT_SECONDS
            elif time.monotonic() > deadline:
                lock.unlink(missing_ok=True)  # its kernel died while it wrote
            time.sleep(0.01)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def _made_at(lock: Path) -> int | None:
    """Which lock stands there: another kernel's next one is a new lock, and gets its own time."""
    try:
        return lock.stat().st_mtime_ns
    except FileNotFoundError:
        return None
