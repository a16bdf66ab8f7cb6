"""A slot's folder on the machine: locked while its supervisor lives, and removed by the next one when it has died."""

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path

from grader.sandbox.zygote import empty

_PREFIX = "grader-slot-"
_LOCK = "lock"


class Folder:
    """A fresh folder with the subfolders `tree` and `scratch`. Making one clears those that dead supervisors left."""

    def __init__(self) -> None:
        clear_abandoned()
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self.tree = self.path / "tree"
        self.scratch = self.path / "scratch"
        self.scratch.mkdir()
        fresh = self.path / "fresh"
        self._lock = os.open(fresh, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        fresh.rename(self.path / _LOCK)  # only under this name can another supervisor see it, and then it is locked

    def remove(self) -> None:
        """Remove everything and let go of the lock."""
        _remove(self.path)
        os.close(self._lock)


def clear_abandoned() -> None:
    """Remove the folders of supervisors that were killed: nobody holds their locks any more."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # still in use, or removed at this moment
            if not _ours(path):
                continue
            lock = os.open(path / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(path)
            finally:
                os.close(lock)


def _ours(path: Path) -> bool:
    """The temporary directory is everybody's: a link there may point at anything, and only our own folders count."""
    found = path.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def _remove(path: Path) -> None:
    """Without bubblewrap the scratch is a real folder, and what a notebook left in it may be deep or locked."""
    scratch = path / "scratch"
    if scratch.is_dir() and not scratch.is_symlink():
        empty(str(scratch))
    shutil.rmtree(path, ignore_errors=True)
