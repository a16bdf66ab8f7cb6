"""The command line, `python -m grader …`: tables for people, `--json` for programs, one sentence for what is wrong."""

import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from course.markup import printable
from grader.checks import exercise as find_exercise
from grader.checks import sessions
from grader.classroom import batch, cluster, gradebook, tables
from grader.classroom.notebook_file import UnreadableError
from grader.classroom.pool import Job, Seats, Settings, default_workers, grade_all, seeds_of
from grader.classroom.submission import NothingFoundError, Submission, collect, paper_of
from grader.engine.verdict import Verdict
from grader.files import replace_file
from grader.notebook.display import as_text
from grader.notebook.terminal import drawn
from grader.sandbox import walls
from grader.sandbox.slot import Limits, SlotError
from grader.sandbox.supervisor import Used
from grader.watch import find, judge_found
from grader.watch import watch as watch_notebook

RUN, SECRET = "run.json", "secret.key"
_PAGE = 100  # rows of a table on the screen, which a drawn one needs at once, in memory: a class may have thousands
# In a pipe there is no width to fit: a table keeps its columns.
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 300)
err = Console(stderr=True, highlight=False, soft_wrap=True)
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Grades notebooks by what really happened: counted calls, held against the receipt.",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program instead of text for people.")]
Only = Annotated[list[str] | None, typer.Argument(help="Exercises such as ch05-e2; without any, all.")]
Isolation = Annotated[
    str, typer.Option("--isolation", help="full, partial (no user namespaces) or none: the walls around a notebook.")
]


def main() -> None:
    """Entry point; what is wrong with the input ends with one sentence and exit code 2."""
    try:
        app()
    except (
        NothingFoundError,
        UnreadableError,
        gradebook.GradebookError,
        walls.IsolationUnavailable,
        SlotError,
        cluster.ClusterError,
        OSError,
    ) as problem:
        fail(str(problem))


def fail(sentence: str) -> NoReturn:
    """One sentence on standard error, and exit code 2."""
    _complain(sentence)
    sys.exit(2)


def print_json(value: Any) -> None:
    """JSON on standard output."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


# -------------------------------------------------------------------------------------------------------- what there is
@app.command("list")
def list_command(as_json: Json = False) -> None:
    """Sessions, exercises and points."""
    exercises = [one for session in sessions().values() for one in session.exercises]
    if as_json:
        print_json(
            [
                {
                    "id": e.id,
                    "title": e.title,
                    "points": e.points,
                    "provides": list(e.provides),
                    "session": e.session.id,
                }
                for e in exercises
            ]
        )
        return
    for session in sessions().values():
        table = Table("exercise", "title", "you hand over", "points", title=f"{session.id}  {session.title}")
        for one in session.exercises:
            table.add_row(one.id, one.title, ", ".join(one.provides), str(one.points))
        out.print(table)


# ------------------------------------------------------------------------------------------------------------- students
@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="The notebook to check.")],
    only: Only = None,
    isolation: Isolation = "full",
    as_json: Json = False,
) -> None:
    """Check your own notebook as the instructor's machine will, with the values of practice.

    Exit code 0: all passed; 1: something did not; 2: it could not be judged.
    """
    wanted = _known_ids(only or [])
    found = find(notebook, wanted)
    with Seats(Settings(walls.require(isolation))) as seats:
        verdicts = judge_found(seats, found, wanted)
    if as_json:
        print_json([_as_json(verdict) for verdict in verdicts])
    else:
        _print_verdicts(verdicts)
    if any(verdict.status == "not_judged" for verdict in verdicts):
        sys.exit(2)
    sys.exit(0 if all(verdict.passed for verdict in verdicts) else 1)


@app.command()
def watch(
    notebook: Annotated[Path, typer.Argument(help="The notebook to check whenever it is saved.")],
    only: Only = None,
    isolation: Isolation = "full",
    as_json: Json = False,
) -> None:
    """Check a notebook now and after each save, until Ctrl+C. With --json each check is one line.

    Exit code 0: ended by Ctrl+C; 2: it could not begin.
    """
    wanted = _known_ids(only or [])
    find(notebook, wanted)
    layers = walls.require(isolation)
    with suppress(KeyboardInterrupt), Seats(Settings(layers)) as seats:
        for verdicts in watch_notebook(seats, notebook, wanted, _complain):
            if as_json:
                line = {"notebook": notebook.name, "verdicts": [_as_json(verdict) for verdict in verdicts]}
                out.file.write(json.dumps(line, ensure_ascii=False) + "\n")
                out.file.flush()
                continue
            if out.is_terminal:
                out.clear()
            _print_verdicts(verdicts)
            out.print(f"{_sum_of(verdicts)}; checked again when {notebook.name} is saved, Ctrl+C ends it", markup=False)


# ---------------------------------------------------------------------------------------------------------- instructors
@app.command()
def grade(
    paths: Annotated[list[Path], typer.Argument(help="Folders of notebooks, or notebooks.")],
    to: Annotated[Path, typer.Option("--out", help="Where the gradebook, the tables and the feedback go.")],
    only: Annotated[list[str] | None, typer.Option("--only", help="A session (ch05) or an exercise (ch05-e2).")] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 for one a core.")] = 0,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", help="A Dask scheduler such as tcp://host:8786, to grade on a cluster.")
    ] = None,
    isolation: Isolation = "full",
    secret_file: Annotated[
        Path | None, typer.Option("--secret-file", help="The secret of the hidden values; default: kept in --out.")
    ] = None,
    regrade: Annotated[bool, typer.Option("--regrade", help="Judge again what a changed check touches.")] = False,
    as_json: Json = False,
) -> None:
    """Grade every notebook below PATHS. Run the same command again and it goes on where it stopped.

    The folder right above a notebook names the student. Exit code 0: every submission has a verdict; 2: some could
    not be judged, and each is named.
    """
    wanted = _known_ids(only or [])
    settings = Settings(walls.require(isolation))
    run_jobs = (
        partial(cluster.grade_all, settings=settings, address=scheduler)
        if scheduler
        else partial(grade_all, settings=settings, workers=jobs or default_workers())
    )
    submissions = collect(paths, sessions(), [name.partition("-")[0] for name in wanted])
    if not submissions:
        fail(f"no notebook below {', '.join(map(str, paths))} belongs to {', '.join(wanted)}")
    if scheduler:
        cluster.require(scheduler, isolation)
    given = _read_secret(secret_file) if secret_file else None
    _make_folder(to)
    secret = given or _own_secret(to)
    with gradebook.Gradebook(to) as book:
        _remember(to, paths, isolation, secret_file)
        with _progress(as_json) as advance:
            outcome = batch.grade(submissions, book, run_jobs, isolation, secret, wanted, regrade, advance)
        lines = tables.write_tables(tables.rows_of(book), to)
    _report_changes(to, outcome, regrade)
    if as_json:
        print_json(json.loads((to / "grades.json").read_text(encoding="utf-8")))
    else:
        _print_lines(lines, to, outcome)
    failed = [one for one in lines if one.status in ("unreadable", "not_judged") or not one.points]
    for one in failed:
        err.print(printable(f"grader: {one.student}: {one.file}: {one.reason or one.status}"), markup=False)
    sys.exit(2 if failed else 0)


@app.command()
def explain(
    folder: Annotated[Path, typer.Argument(help="The folder that `grade --out` wrote.")],
    student: str,
    exercise_id: Annotated[str, typer.Argument(metavar="EXERCISE")],
    as_json: Json = False,
) -> None:
    """The exact run again: the calls, the receipt, the ledger and the output, for one student and exercise."""
    _known_ids([exercise_id])
    book = gradebook.Reading(folder)
    keys = [key for key, entry in book.entries.items() if key[0] == student and exercise_id in entry.verdicts]
    if not keys:
        names = ", ".join(sorted({key[0] for key in book.entries}))
        fail(f"there is no verdict of {exercise_id} for {student!r} in {folder} (have: {names})")
    kept = book.verdict(book.entries[keys[-1]], exercise_id)
    if not (folder / RUN).is_file():
        fail(f"there is no {RUN} in {folder}, which says where the notebooks lie: run `grade --out {folder}` again")
    run = json.loads((folder / RUN).read_text(encoding="utf-8"))
    one = _find_again([Path(root) for root in run["roots"]], keys[-1])
    secret = _read_secret(Path(run["secret_file"]) if run["secret_file"] else folder / SECRET)
    settings = Settings(walls.require(run["isolation"]))
    with Seats(settings) as seats:
        exercises = tuple(batch.versions_of(one))  # all of them, since the ones before may matter
        paper = paper_of(one, sessions()[one.session])
        record = seats.sit(Job(one.session, seeds_of(exercises, one.digest, secret), paper), explain=True)
    verdict = record.verdicts[exercise_id]
    agrees = [case.status for case in verdict.cases] == [case.status for case in kept.cases]
    said = (
        "the same verdict as in the gradebook" if agrees else "NOT the verdict in the gradebook: was a check changed?"
    )
    if as_json:
        told = {"student": student, "agrees": agrees, "used": asdict(record.used), "outputs": record.outputs}
        print_json({**told, **verdict.to_record()})
        return
    out.print(as_text(verdict), markup=False)
    for cell, output in record.outputs:
        text = output.get("text") or output.get("evalue") or (output.get("data") or {}).get("text/plain") or ""
        out.print(f"code cell {cell + 1}: {printable(str(text).rstrip())}", markup=False)
    for note in [*record.notes, *(f"code cell {n + 1} ended with {text}" for n, text in record.cell_errors)]:
        out.print(printable(note), markup=False)
    out.print(_used(record.used, settings.limits))
    out.print(said)


def _used(used: Used, limits: Limits) -> str:
    by = "its process" if used.processes == 1 else f"its {used.processes} processes"
    seconds = f"{used.cpu_seconds:.2f} s of processor time ({limits.cpu_seconds} s allowed for each)"
    return f"used by {by}: {seconds}, {used.peak_mib:.0f} of {limits.memory_mib:,} MiB of memory"


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(help="The folder that `grade --out` wrote.")], as_json: Json = False
) -> None:
    """Has a verdict been changed since? Exit code 0: no; 1: yes, and each record is named; 2: cannot be told."""
    report = gradebook.verify(folder)
    if as_json:
        faults = [{"record": f.index, "line": f.line, "kind": f.kind, "detail": f.detail} for f in report.faults]
        print_json({"records": report.count, "head": report.head, "ok": report.ok, "faults": faults})
    elif report.ok:
        anchored = (
            "and the anchor agrees" if (folder / gradebook.ANCHOR).exists() else "but there is no anchor to compare"
        )
        out.print(f"{report.count} records, unchanged, {anchored}; head {report.head}")
    else:
        for fault in report.faults:
            out.print(str(fault), markup=False)
    sys.exit(0 if report.ok else 1)


# ------------------------------------------------------------------------------------------------------- course writers
@app.command()
def release(
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail where notebooks/ has drifted.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make notebooks/ from solutions/. Exit code 1: a source is wrong, or with --check a notebook has drifted."""
    from grader.authoring.release import Drift
    from grader.authoring.release import release as make
    from grader.authoring.source import SourceError

    try:
        paths = make(check=check_only)
    except (Drift, SourceError) as problem:
        err.print(f"grader: {problem}", markup=False)
        sys.exit(1)
    if as_json:
        print_json([path.name for path in paths])
        return
    out.print(f"{len(paths)} notebooks {'are what solutions/ makes' if check_only else 'written'}")


@app.command()
def selftest(
    session: Annotated[list[str] | None, typer.Argument(help="Sessions such as ch05; without any, all.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="In how many worlds each solution must pass.")] = 200,
    as_json: Json = False,
) -> None:
    """Are the checks right? Stubs fail, solutions pass, every wrong answer is rejected by the case that it names."""
    from grader.authoring.selftest import selftest_in_parallel as run

    for name in session or []:
        if name not in sessions():
            fail(f"there is no session {name!r} (have: {', '.join(sessions())})")
    names = session or list(sessions())
    with _progress(as_json) as advance:
        report = run(names, seeds, default_workers(), lambda what, done, total: advance(done, total, what))
    if as_json:
        print_json(report.to_record())
    else:
        for problem in report.problems:
            out.print(str(problem), markup=False)
        found = "all as they should be" if report.ok else f"{len(report.problems)} problems"
        answers = f"{report.wrong} wrong and {report.odd} odd answers"
        out.print(f"{report.exercises} exercises, {answers}, {report.verdicts} verdicts: {found}")
    sys.exit(0 if report.ok else 1)


# -------------------------------------------------------------------------------------------------------------- helpers
def _as_json(verdict: Verdict) -> dict[str, Any]:
    return {"status": verdict.status, "points": verdict.points, **verdict.to_record()}


def _print_verdicts(verdicts: Sequence[Verdict]) -> None:
    """In a terminal as wide as that is, in a pipe as the lines that the notebook has too."""
    if not out.is_terminal:
        out.print("\n\n".join(as_text(verdict) for verdict in verdicts), markup=False)
        return
    for verdict in verdicts:
        out.print(drawn(verdict), "", soft_wrap=False)


def _sum_of(verdicts: Sequence[Verdict]) -> str:
    points, most = sum(one.points for one in verdicts), sum(one.max_points for one in verdicts)
    return f"{sum(one.passed for one in verdicts)} of {len(verdicts)} exercises passed, {points} of {most} points"


def _complain(sentence: str) -> None:
    err.print(f"grader: {printable(sentence)}", markup=False)


def _known_ids(names: Sequence[str]) -> list[str]:
    for name in names:
        if name not in sessions():
            try:
                find_exercise(name)
            except KeyError as error:
                fail(str(error.args[0]))
    return list(names)


def _make_folder(to: Path) -> None:
    if to.exists() and not to.is_dir():
        fail(f"{to} is a file; --out takes a folder")
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"the folder {to} cannot be made ({error.strerror}): give another one with --out")


def _read_secret(path: Path) -> bytes:
    if not path.is_file():
        fail(f"there is no secret in {path}: without it the hidden values of a run cannot be made again")
    secret = path.read_bytes().strip()
    if len(secret) < 16:
        fail(f"the secret in {path} has {len(secret)} bytes; it takes at least 16")
    return secret


def _own_secret(folder: Path) -> bytes:
    """The secret kept with the gradebook, made on the first run: whole or not at all, whatever ends that run."""
    path = folder / SECRET
    if not path.exists():
        beside = path.with_name(f".{path.name}.new")
        beside.touch(mode=0o600)
        beside.write_text(secrets.token_hex(32) + "\n", encoding="utf-8", newline="\n")
        beside.replace(path)
    return _read_secret(path)


def _remember(folder: Path, paths: Sequence[Path], isolation: str, secret_file: Path | None) -> None:
    """Where the submissions lie and how they were graded: for `explain`, and outside the chain."""
    kept = str(secret_file.resolve()) if secret_file else None
    run = {"roots": [str(path.resolve()) for path in paths], "isolation": isolation, "secret_file": kept}
    replace_file(folder / RUN, json.dumps(run, indent=1, ensure_ascii=False) + "\n")


def _find_again(roots: Sequence[Path], key: gradebook.Key) -> Submission:
    student, session, file, digest = key
    for one in collect([root for root in roots if root.exists()], sessions()):
        if (one.student, one.session, one.file) == (student, session, file):
            if one.digest != digest:
                fail(f"{one.path} has changed since it was graded: its run cannot be shown again")
            return one
    fail(f"{file} of {student!r} is no longer where it was graded: {', '.join(map(str, roots))}")


@contextmanager
def _progress(quiet: bool) -> Iterator[batch.Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=quiet or not err.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def advance(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what[:40])

        yield advance


def _report_changes(folder: Path, outcome: batch.Outcome, regrade: bool) -> None:
    if not regrade:
        return
    changes = [change.__dict__ for change in outcome.changes]
    replace_file(folder / "regrade.json", json.dumps(changes, indent=1, ensure_ascii=False) + "\n")
    for one in outcome.changes:
        err.print(f"{one.student}  {one.exercise}  {one.before} -> {one.after}  {one.case}", markup=False)
    if not outcome.changes:
        err.print("regrade: no score changed")


def _table(lines: Sequence[tables.Line]) -> Table:
    exercises = sorted({name for one in lines for name in one.points})
    table = Table(*(Column(name, no_wrap=True) for name in ("student", "session", "score", "status", *exercises)))
    for one in lines:
        points = [str(one.points.get(name, "")) for name in exercises]
        table.add_row(
            Text(printable(one.student)), one.session or "–", f"{one.score}/{one.max_score}", one.status, *points
        )
    return table


def _print_lines(lines: Sequence[tables.Line], folder: Path, outcome: batch.Outcome) -> None:
    for start in range(0, len(lines), _PAGE):
        out.print(_table(lines[start : start + _PAGE]))
    out.print(
        f"{outcome.judged} judged now, {outcome.stood} stood already; "
        f"isolation: {', '.join(sorted({one.isolation for one in lines}))}; written to {folder}"
    )
    if outcome.outdated:
        out.print(f"{outcome.outdated} were judged by an older version of a check; --regrade judges them again")
