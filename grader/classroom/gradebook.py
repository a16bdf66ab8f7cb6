"""The gradebook: verdicts as a `course.transcript`, so that a verdict changed afterwards is found.

Two kinds of records: `verdict`, one an exercise, and `submission`, one a student and session, which closes its
verdicts. Nothing in them depends on the time, the machine or the order in which workers finished.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

from course.transcript import Anchor, Report, TranscriptError, TranscriptWriter, verify_file
from grader.classroom.submission import Submission
from grader.engine.verdict import Verdict
from grader.files import json_lines_from, replace_file
from grader.sandbox.supervisor import Record

BOOK, ANCHOR = "gradebook.jsonl", "anchor.json"
Key = tuple[str, str, str, str]  # student, session, file, digest


class GradebookError(Exception):
    """The gradebook cannot be used; the text says what is wrong and what to do."""


@dataclass(slots=True)
class Entry:
    """Where one submission's records lie: byte offsets, so that a large gradebook is not held in memory.

    verdicts: exercise id -> (version of the check, offset), with "" for the version where it could not be judged, so
    that the next run tries again; closing: the offset of its closing record, if it came.
    """

    verdicts: dict[str, tuple[str, int]] = field(default_factory=dict)
    closing: int | None = None

    @property
    def versions(self) -> dict[str, str]:
        """The version of the check that gave each verdict, by exercise id."""
        return {name: version for name, (version, _) in self.verdicts.items()}


class Reading:
    """What a gradebook says, the latest of each submission. Raises `GradebookError` where it is missing or broken."""

    def __init__(self, folder: Path, must_exist: bool = True) -> None:
        self.folder = folder
        self.entries: dict[Key, Entry] = {}
        self._latest: dict[tuple[str, str, str], Key] = {}
        self._read_to = 0
        if must_exist or self.path.exists():
            _refuse_a_changed_book(verify(folder))
            self.follow()

    @property
    def path(self) -> Path:
        """The file of the chain."""
        return self.folder / BOOK

    def follow(self) -> None:
        """Take in the records that were appended since the last look."""
        for record, offset, end in json_lines_from(self.path, self._read_to):
            self._take(record["kind"], record["payload"], offset)
            self._read_to = end

    def standing(self, one: Submission) -> Entry | None:
        """What stands for exactly this file of this student, or None."""
        return self.entries.get((one.student, one.session, one.file, one.digest))

    def verdict(self, entry: Entry, exercise: str) -> Verdict:
        """One verdict of an entry."""
        return Verdict.from_record(self._payload(entry.verdicts[exercise][1])["verdict"])

    def closing(self, entry: Entry) -> dict[str, Any]:
        """The closing record of an entry that has one."""
        assert entry.closing is not None
        return self._payload(entry.closing)

    def closed(self) -> Iterator[Entry]:
        """Every entry that is closed, in the order of student, session and file."""
        for _, entry in sorted(self.entries.items(), key=lambda item: item[0]):
            if entry.closing is not None:
                yield entry

    def _payload(self, offset: int) -> dict[str, Any]:
        record, _, _ = next(json_lines_from(self.path, offset))
        payload: dict[str, Any] = record["payload"]
        return payload

    def _take(self, kind: str, payload: dict[str, Any], offset: int) -> None:
        if kind not in ("verdict", "submission"):
            return
        # What is kept is each text once, not a copy that lies between what a record brings along and leaves behind.
        key = (
            intern(payload["student"]),
            intern(payload["session"]),
            intern(payload["file"]),
            intern(payload["digest"]),
        )
        # A newer file of the same student for the same session takes the place of the older one, and a file that is
        # recognised at last that of the row which said that it was not.
        place = (*key[:2], "" if key[1] else key[2])
        before = self._latest.setdefault(place, key)
        if before != key:
            self.entries.pop(before, None)
            self._latest[place] = key
        if key[1]:
            unknown = self._latest.pop((key[0], "", key[2]), None)
            if unknown is not None:
                self.entries.pop(unknown, None)
        entry = self.entries.setdefault(key, Entry())
        if kind == "verdict":
            judged = all(case["status"] != "not_judged" for case in payload["verdict"]["cases"])
            entry.verdicts[intern(payload["exercise"])] = (intern(payload["version"]) if judged else "", offset)
        else:
            entry.closing = offset


class Gradebook(Reading):
    """Appends verdicts below `folder`. Raises `GradebookError` where the chain is broken or someone else writes it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, must_exist=False)
        try:
            self._writer = TranscriptWriter(self.path)
        except TranscriptError as error:
            raise GradebookError(f"{self.path}: {error}") from None

    def close(self) -> None:
        """Write the anchor and let go of the file."""
        self._writer.close()
        replace_file(self.folder / ANCHOR, self._writer.anchor().to_json() + "\n")

    def __enter__(self) -> "Gradebook":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, one: Submission, record: Record | None, versions: dict[str, str], isolation: str) -> None:
        """Append the verdicts of one submission and close it; a verdict of the same version that stands is kept.

        record: what the sitting brought, or None where there was nothing to judge; versions: of each exercise.
        """
        entry = self.standing(one)
        standing = entry.versions if entry else {}
        where = {"student": one.student, "session": one.session, "file": one.file, "digest": one.digest}
        for name, verdict in (record.verdicts if record else {}).items():
            if standing.get(name) != versions[name]:
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
        self.follow()

    def _append(self, kind: str, payload: dict[str, Any]) -> None:
        try:
            self._writer.append(kind, payload)
        except TranscriptError as error:
            raise GradebookError(f"{self.path}: {error}") from None


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
