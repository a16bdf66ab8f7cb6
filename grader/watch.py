"""`grader watch NOTEBOOK`: checks a notebook, and again each time that it is saved, in a slot that stays warm."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from watchfiles import watch as changes

from grader.checks import sessions
from grader.classroom import batch
from grader.classroom.notebook_file import UnreadableError
from grader.classroom.pool import Job, Seats, seeds_of
from grader.classroom.submission import Submission, collect, paper_of
from grader.engine.verdict import Verdict

_STEP_MILLISECONDS = 50  # between two looks; a save of many writes is one change
_DEBOUNCE_MILLISECONDS = 400


def find(notebook: Path, wanted: Sequence[str]) -> list[Submission]:
    """The notebook, once for each session that it belongs to. wanted: exercise or session ids; none for all.

    Raises `UnreadableError` with one sentence where there is nothing to judge.
    """
    if not notebook.is_file():
        raise UnreadableError(f"{notebook} does not exist, or is no file: give a notebook (.ipynb)")
    found = collect([notebook], sessions())
    if not found[0].judgeable:
        raise UnreadableError(f"{notebook}: {found[0].reason}")
    belonging = [one for one in found if batch.versions_of(one, wanted)]
    if not belonging:
        belongs = " and ".join(one.session for one in found)
        raise UnreadableError(f"{notebook} belongs to {belongs}, and {', '.join(wanted)} does not")
    return belonging


def judge_found(seats: Seats, found: Sequence[Submission], wanted: Sequence[str]) -> list[Verdict]:
    """The verdicts of what `find` found, with the values of practice."""
    verdicts: list[Verdict] = []
    for one in found:
        seeds = seeds_of(tuple(batch.versions_of(one, wanted)), one.digest, None)
        verdicts += seats.sit(Job(one.session, seeds, paper_of(one, sessions()[one.session]))).verdicts.values()
    return verdicts


def watch(
    seats: Seats, notebook: Path, wanted: Sequence[str], complain: Callable[[str], None]
) -> Iterator[list[Verdict]]:
    """The verdicts now, and after each save that changed something, until Ctrl+C.

    complain: given the sentence about a file that cannot be judged, such as one half written; the watch goes on.
    """
    judged = ""
    for _ in _saves(notebook):
        try:
            found = find(notebook, wanted)
            if found[0].digest != judged:
                yield judge_found(seats, found, wanted)
                judged = found[0].digest
        except (UnreadableError, OSError) as problem:
            complain(str(problem))


def _saves(notebook: Path) -> Iterator[None]:
    """Once at the beginning, then once a save. The folder is watched, since editors replace the file."""
    name = notebook.name
    saves = changes(
        notebook.resolve().parent,
        watch_filter=lambda _change, path: Path(path).name == name,
        debounce=_DEBOUNCE_MILLISECONDS,
        step=_STEP_MILLISECONDS,
        recursive=False,
        yield_on_timeout=True,
        rust_timeout=200,
    )
    # The first look comes when the watcher stands already: a save during the first check is not missed.
    first = True
    for found in saves:
        if first or found:
            yield
        first = False
