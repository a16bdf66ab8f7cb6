"""Grades the sample class with the real command and holds its table against `expected.csv`: what `make demo` runs."""

import csv
import os
import shutil
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build" / "demo"
SOME_COULD_NOT_BE_JUDGED = 2  # the class holds one truncated file, so this is the exit code that is right
OLDER = HERE / "submissions" / "renamed-copy" / "Session 5.ipynb"
WHERE_GRADED = "isolation"  # says what the machine can do, not what was found; `expected.csv` says full


def main() -> None:
    """Grade, compare, and leave with 0 where each row is as expected; arguments go to `grade` as they are."""
    shutil.rmtree(OUT, ignore_errors=True)  # verdicts of an earlier demo would stand, and nothing would be graded
    code = grade(OUT, sys.argv[1:])
    if code != SOME_COULD_NOT_BE_JUDGED:
        sys.exit(f"demo: grade ended with {code}, not with {SOME_COULD_NOT_BE_JUDGED} for the one truncated file")
    expected = (HERE / "expected.csv").read_text(encoding="utf-8")
    found = differences(expected, (OUT / "grades.csv").read_text(encoding="utf-8"))
    for line in found:
        print(f"demo: {line}", file=sys.stderr)
    if found:
        sys.exit(f"demo: {len(found)} differences between grades.csv and examples/class/expected.csv")
    print(f"as expected: all {len(expected.splitlines()) - 1} rows of examples/class/expected.csv")


def grade(out: Path, options: list[str]) -> int:
    """Run `grader grade` on the class, with its public secret, and return the exit code."""
    age_the_older_copy()
    command = [sys.executable, "-m", "grader", "grade", str(HERE / "submissions"), "--out", str(out)]
    command += ["--secret-file", str(HERE / "secret.txt"), *options]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def age_the_older_copy() -> None:
    """Of two copies the newest counts, and a clone gives every file the time of the clone, in any order."""
    newest = max(path.stat().st_mtime for path in OLDER.parent.iterdir())
    os.utime(OLDER, (newest - 86_400, newest - 86_400))


def differences(expected: str, found: str) -> list[str]:
    """One sentence for each row of two tables, as CSV text, that is missing, unknown or not the same."""
    wanted_rows, found_rows = _by_submission(expected), _by_submission(found)
    said = [f"{student} ({session or 'no session'}) is missing" for student, session in wanted_rows.keys() - found_rows]
    said += [
        f"{student} ({session or 'no session'}) is not expected" for student, session in found_rows.keys() - wanted_rows
    ]
    for key in wanted_rows.keys() & found_rows.keys():
        pairs = zip_longest(wanted_rows[key].items(), found_rows[key].items(), fillvalue=("no such column", ""))
        for (column, wanted), (found_column, value) in pairs:
            if column != WHERE_GRADED and (column, wanted) != (found_column, value):
                said.append(f"{key[0]}: {column}: expected {wanted or 'nothing'}, got {value or 'nothing'}")
    return sorted(said)


def _by_submission(table: str) -> dict[tuple[str, str], dict[str, str]]:
    return {(row["student"], row["session"]): row for row in csv.DictReader(table.splitlines())}


if __name__ == "__main__":
    main()
