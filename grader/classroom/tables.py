"""What a gradebook says, as files: grades.csv (a row a submission), grades.json (with cases), feedback pages."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from grader.classroom.gradebook import Reading
from grader.engine.verdict import STATUSES, Verdict
from grader.files import replace_file, replacing
from grader.notebook.display import as_html

_LONGEST_NAME = 200  # bytes; file systems take 255, and an ending and a mark come on top
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Row:
    """One submission; `verdicts` by exercise id."""

    student: str
    session: str
    file: str
    isolation: str
    status: str
    reason: str
    notes: tuple[str, ...]
    cell_errors: tuple[tuple[int, str], ...]
    verdicts: dict[str, Verdict]

    @property
    def score(self) -> int:
        """The sum of the points."""
        return sum(verdict.points for verdict in self.verdicts.values())

    @property
    def max_score(self) -> int:
        """The most that the judged exercises give; 0 where no session was recognised."""
        return sum(verdict.max_points for verdict in self.verdicts.values())


def rows_of(book: Reading) -> Iterator[Row]:
    """Every closed submission of a gradebook, in its order, read one at a time."""
    for entry in book.closed():
        closing = book.closing(entry)
        verdicts = {name: book.verdict(entry, name) for name in entry.verdicts}
        statuses = [verdict.status for verdict in verdicts.values()]
        yield Row(
            student=closing["student"],
            session=closing["session"],
            file=closing["file"],
            isolation=closing["isolation"],
            status=closing["status"] or max(statuses, key=STATUSES.index, default="not_judged"),
            reason=closing["reason"],
            notes=tuple(closing["notes"]),
            cell_errors=tuple((index, text) for index, text in closing["cell_errors"]),
            verdicts=verdicts,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A row without its cases: what a table of a large class holds in memory."""

    student: str
    session: str
    file: str
    score: int
    max_score: int
    isolation: str
    status: str
    reason: str
    points: dict[str, int]


def write_tables(rows: Iterable[Row], folder: Path) -> list[Line]:
    """Write grades.csv, grades.json and one feedback page a submission below `folder`; returns the lines of the table.

    Each row is let go of before the next is looked at.
    """
    lines: list[Line] = []
    with replacing(folder / "grades.json") as grades:
        for row in rows:
            grades.write(",\n" if lines else "[\n")
            grades.write(json.dumps(_as_json(row), indent=1, ensure_ascii=False))
            page = f"{row.session or folder_name(row.file)}.html"
            replace_file(folder / "feedback" / folder_name(row.student) / page, feedback_html(row))
            lines.append(_line(row))
        grades.write("\n]\n" if lines else "[]\n")
    replace_file(folder / "grades.csv", grades_csv(lines))
    return lines


def _line(row: Row) -> Line:
    points = {name: verdict.points for name, verdict in row.verdicts.items()}
    score, most = row.score, row.max_score
    return Line(row.student, row.session, row.file, score, most, row.isolation, row.status, row.reason, points)


def grades_csv(lines: Sequence[Line]) -> str:
    """One row a submission, one column an exercise: its points, or empty where the exercise is not of its session."""
    exercises = sorted({name for line in lines for name in line.points})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "session", "file", "score", "max_score", "isolation", "status", *exercises])
    for one in lines:
        head = [safe(one.student), one.session, safe(one.file), one.score, one.max_score, one.isolation, one.status]
        writer.writerow([*head, *(one.points.get(name, "") for name in exercises)])
    return out.getvalue()


def safe(text: str) -> str:
    """A text that a spreadsheet does not take for a formula, and no reader for the end of a line."""
    whole = text.replace("\r", "\\r")  # the csv module of Python before 3.13 does not quote it
    return f"'{whole}" if text.startswith(_FORMULA) else whole


def folder_name(student: str) -> str:
    """A student's or a file's name as one part of a path: never a path of its own, and no two names the same."""
    name = re.sub(r"[/\\:\0]", "_", student).strip()
    name = name if name not in ("", ".", "..") else f"_{name}"
    short = name.encode("utf-8")[:_LONGEST_NAME].decode("utf-8", "ignore")
    if short == student:
        return short
    return f"{short}-{hashlib.sha256(student.encode('utf-8')).hexdigest()[:8]}"


def _as_json(row: Row) -> dict[str, Any]:
    return {
        "student": row.student,
        "session": row.session,
        "file": row.file,
        "score": row.score,
        "max_score": row.max_score,
        "isolation": row.isolation,
        "status": row.status,
        "reason": row.reason,
        "notes": list(row.notes),
        "cell_errors": [{"cell": index + 1, "error": text} for index, text in row.cell_errors],
        "exercises": [
            {"status": verdict.status, "points": verdict.points, **verdict.to_record()}
            for verdict in row.verdicts.values()
        ],
    }


def feedback_html(row: Row) -> str:
    """One page for one student: the verdicts as the notebook shows them, and what the cells and the grader noted."""
    notes = [row.reason, *row.notes, *(f"code cell {index + 1} ended with {text}" for index, text in row.cell_errors)]
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes if note)
    title = f"{row.student} · {row.session or row.file}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<title>{escape(title)}</title></head><body style="font-family:sans-serif;max-width:60em;margin:2em auto">'
        f"<h1>{escape(title)}</h1><p>{row.score} of {row.max_score} points, status {row.status}, "
        f"isolation {row.isolation}</p>"
        + (f"<ul>{listed}</ul>" if listed else "")
        + "".join(as_html(verdict) for verdict in row.verdicts.values())
        + "</body></html>\n"
    )
