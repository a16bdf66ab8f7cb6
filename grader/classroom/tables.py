"""What a gradebook says, as files: grades.csv (a row a submission), grades.json (with cases), feedback pages."""

import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from grader.classroom.gradebook import Entry, Gradebook
from grader.engine.verdict import Verdict
from grader.files import replace_file
from grader.notebook.display import as_html

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


def rows_of(book: Gradebook) -> list[Row]:
    """Every closed submission of a gradebook, in its order."""
    closed = [(key, entry) for key, entry in book.entries.items() if entry.closing is not None]
    return [_row(entry) for _, entry in sorted(closed, key=lambda item: item[0][:3])]


def _row(entry: Entry) -> Row:
    closing = entry.closing
    assert closing is not None
    return Row(
        student=closing["student"],
        session=closing["session"],
        file=closing["file"],
        isolation=closing["isolation"],
        status=entry.status,
        reason=closing["reason"],
        notes=tuple(closing["notes"]),
        cell_errors=tuple((index, text) for index, text in closing["cell_errors"]),
        verdicts={name: Verdict.from_record(record["verdict"]) for name, record in entry.verdicts.items()},
    )


def write_tables(rows: Iterable[Row], folder: Path) -> None:
    """Write grades.csv, grades.json and one feedback page a submission below `folder`."""
    rows = list(rows)
    replace_file(folder / "grades.csv", grades_csv(rows))
    text = json.dumps([_as_json(row) for row in rows], indent=1, ensure_ascii=False)
    replace_file(folder / "grades.json", text + "\n")
    for row in rows:
        name = row.session or re.sub(r"[^\w.-]", "_", row.file)
        replace_file(folder / "feedback" / folder_name(row.student) / f"{name}.html", feedback_html(row))


def grades_csv(rows: Iterable[Row]) -> str:
    """One row a submission, one column an exercise: its points, or empty where the exercise is not of its session."""
    rows = list(rows)
    exercises = sorted({name for row in rows for name in row.verdicts})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "session", "file", "score", "max_score", "isolation", "status", *exercises])
    for row in rows:
        points = [row.verdicts[name].points if name in row.verdicts else "" for name in exercises]
        head = [safe(row.student), row.session, safe(row.file), row.score, row.max_score, row.isolation, row.status]
        writer.writerow([*head, *points])
    return out.getvalue()


def safe(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def folder_name(student: str) -> str:
    """A student's name as one folder: without slashes, never a path of its own."""
    name = re.sub(r"[/\\:\0]", "_", student).strip()
    return name if name not in ("", ".", "..") else f"_{name}"


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
