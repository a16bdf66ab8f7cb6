"""The gradebook: verdicts as a `course.transcript`, so that a verdict changed afterwards is found.

Two kinds of records: `verdict`, one an exercise, and `submission`, one a student and session, which closes its
verdicts. Nothing in them depends on the time, the machine or the order in which workers finished.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course.transcript import Anchor, Report, TranscriptError, TranscriptWriter, verify_file
from grader.classroom.submission import Submission
from grader.engine.verdict import STATUSES, Verdict
from grader.files import read_json_lines, replace_file
from grader.sandbox.supervisor import Record

BOOK, ANCHOR = "gradebook.jsonl", "anchor.json"
Key = tuple[str, str, str, str]  # student, session, file, digest


class GradebookError(Exception):
    """The gradebook cannot be used; the text says what is wrong and what to do."""


@dataclass
class Entry:
    """One submission as the gradebook knows it: verdict records by exercise id, and the closing record, if it came."""

    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    closing: dict[str, Any] | None = None

    @property
    def status(self) -> str:
        """The worst that happened to it, or that it could not be read."""
        assert self.closing is not None
        if self.closing["status"]:
            return str(self.closing["status"])
        statuses = [Verdict.from_record(one["verdict"]).status for one in self.verdicts.values()]
        return max(statuses, key=STATUSES.index, default="not_judged")


class Gradebook:
    """Appends verdicts below `folder` and knows those that stand. Raises `GradebookError` where the chain is broken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / BOOK
        self.entries = read(folder) if path.exists() else {}
        try:
            self._writer = TranscriptWriter(path)
        except TranscriptError as error:
            raise GradebookError(f"{path}: {error}") from None

    def close(self) -> None:
        """Write the anchor and let go of the file."""
        self._writer.close()
        replace_file(self.folder / ANCHOR, self._writer.anchor().to_json() + "\n")

    def __enter__(self) -> "Gradebook":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def standing(self, one: Submission) -> Entry | None:
        """What stands for exactly this file of this student, or None."""
        return self.entries.get(_key(one))

    def add(self, one: Submission, record: Record | None, versions: dict[str, str], isolation: str) -> None:
        """Append the verdicts of one submission and close it; a verdict of the same version that stands is kept.

        record: what the sitting brought, or None where there was nothing to judge; versions: of each exercise.
        """
        entry = self.standing(one)
        standing = {name: kept["version"] for name, kept in entry.verdicts.items()} if entry else {}
        where = {"student": one.student, "session": one.session, "file": one.file, "digest": one.digest}
        for name, verdict in (record.verdicts if record else {}).items():
            if standing.get(name) == versions[name]:
                continue
            payload = {**where, "exercise": name, "version": versions[name], "isolation": isolation}
            self._append("verdict", {**payload, "verdict": verdict.to_record()})
        closing = {
            **where,
            "isolation": isolation,
            "status": one.status,
            "reason": one.reason,
            "notes": [*one.notes, *(record.notes if record else [])],
            "cell_errors": [list(error) for error in record.cell_errors] if record else [],
        }
        self._append("submission", closing)

    def _append(self, kind: str, payload: dict[str, Any]) -> None:
        _take(self.entries, kind, self._writer.append(kind, payload)["payload"])


def read(folder: Path) -> dict[Key, Entry]:
    """What the gradebook below `folder` says, the latest of each. Raises `GradebookError` where the chain is broken."""
    _refuse_a_changed_book(verify(folder))
    entries: dict[Key, Entry] = {}
    for record in read_json_lines(folder / BOOK):
        _take(entries, record["kind"], record["payload"])
    return entries


def _take(entries: dict[Key, Entry], kind: str, payload: dict[str, Any]) -> None:
    if kind not in ("verdict", "submission"):
        return
    key = (payload["student"], payload["session"], payload["file"], payload["digest"])
    # A newer file of the same student for the same session takes the place of the older one.
    for other in [k for k in entries if k[:2] == key[:2] and k != key and (key[1] or k[2] == key[2])]:
        del entries[other]
    entry = entries.setdefault(key, Entry())
    if kind == "verdict":
        entry.verdicts[payload["exercise"]] = payload
    else:
        entry.closing = payload


def verify(folder: Path) -> Report:
    """Check the chain below `folder`, and against its anchor where there is one.

    Raises `GradebookError` where there is no gradebook or its anchor cannot be read.
    """
    path, anchor = folder / BOOK, folder / ANCHOR
    if not path.is_file():
        raise GradebookError(f"there is no {BOOK} in {folder}: give the folder that `grade --out` wrote")
    try:
        return verify_file(path, Anchor.from_json(anchor.read_text(encoding="utf-8")) if anchor.exists() else None)
    except (ValueError, OSError) as error:
        raise GradebookError(f"{anchor} cannot be used: {error}") from None


def _refuse_a_changed_book(report: Report) -> None:
    """A line torn by a killed run and records that it wrote after the last anchor are no fault: grading goes on."""
    for fault in report.faults:
        torn = fault.kind in ("bad_json", "not_canonical") and fault.index >= report.count - 1 and "cut" in fault.detail
        if not torn and fault.kind != "beyond_anchor":
            raise GradebookError(
                f"the gradebook was changed since it was written: {fault}; "
                "keep it for `grader verify`, and grade into another folder"
            )


def _key(one: Submission) -> Key:
    return (one.student, one.session, one.file, one.digest)
