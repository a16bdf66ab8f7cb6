"""The same batch on an existing Dask cluster: each worker owns its slots; a submission goes in, a verdict comes out.

    dask scheduler
    dask worker tcp://HOST:8786 --nthreads 1        # on each machine, once a core

Both commands are Dask's own (extra `cluster`). A worker that dies has its submissions graded by another.
"""

import atexit
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from grader.classroom.notebook_file import UnreadableError
from grader.classroom.pool import Job, MakeJob, Seats, Settings, judged, not_judged
from grader.sandbox import walls
from grader.sandbox.supervisor import Record

if TYPE_CHECKING:
    from distributed import Client

_AHEAD = 4  # jobs a worker thread that are on their way: what is in memory does not grow with the class
_RETRIES = 3
_CONNECT_SECONDS = 15


class ClusterError(Exception):
    """The cluster cannot be used; the text says why in one sentence."""


def grade_all(jobs: Sequence[MakeJob], settings: Settings, address: str) -> Iterator[Record]:
    """The records of `jobs`, in their order, graded by the workers of the scheduler at `address`."""
    if not jobs:
        return
    with _connect(address) as client:
        threads = _require_walls(client, settings.layers.level)
        waiting: deque[tuple[Job | None, Any]] = deque()
        for number in range(len(jobs)):
            while len(waiting) < _AHEAD * threads and number + len(waiting) < len(jobs):
                waiting.append(_submit(client, jobs[number + len(waiting)], settings))
            yield _result(*waiting.popleft())


def require(address: str, level: str) -> None:
    """Raises `ClusterError` unless a scheduler answers whose workers all have the layers of `level`."""
    with _connect(address) as client:
        _require_walls(client, level)


def run_job(job: Job, settings: Settings) -> Record:
    """Runs on a worker: grades one submission in the slots of this thread."""
    return judged(_seats(settings), job)


_own = threading.local()


def _seats(settings: Settings) -> Seats:
    held: Seats | None = getattr(_own, "seats", None)
    if held is None or _own.settings != settings:
        if held is not None:
            held.close()
        held = _own.seats = Seats(settings)
        atexit.register(held.close)
        _own.settings = settings
    return held


def _connect(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("--scheduler needs Dask: python -m pip install 'trusted-agent-course[cluster]'") from None
    try:
        return Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from None


def _require_walls(client: "Client", level: str) -> int:
    """Every worker must have the layers of `level`; returns how many threads they have together."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise ClusterError("the scheduler has no workers: start one with `dask worker ADDRESS --nthreads 1`")
    for worker, problem in client.run(_missing, level).items():
        if problem:
            raise ClusterError(f"worker {worker}: {problem}")
    return sum(int(worker["nthreads"]) for worker in workers.values())


def _missing(level: str) -> str:
    try:
        walls.require(level)
    except walls.IsolationUnavailable as problem:
        return str(problem)
    return ""


def _submit(client: "Client", make: MakeJob, settings: Settings) -> tuple[Job | None, Any]:
    try:
        job = make()
    except UnreadableError as problem:
        return None, str(problem)
    return job, client.submit(run_job, job, settings, pure=False, retries=_RETRIES)


def _result(job: Job | None, future: Any) -> Record:
    if job is None:
        return Record(notes=[future])
    from distributed import CancelledError, KilledWorker
    from distributed.client import FutureCancelledError

    try:
        record: Record = future.result()
        return record
    except (CancelledError, FutureCancelledError):
        raise ClusterError("the scheduler went away: run the same command again, and it goes on from here") from None
    except KilledWorker:
        return not_judged(job, "every worker that worked on this notebook ended")
    except Exception as error:
        return not_judged(job, f"the worker could not grade it: {type(error).__name__}: {error}")
