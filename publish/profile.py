"""How Python is set up in the browser: a text that runs at its start, in a small wheel, which is how a file gets there.

**Deep recursion.** A recursion that passes through C, such as JSON with 3,000 brackets, uses up the stack of a browser
before Python notices, and the kernel is gone without a word. `check` guards student code against that; here every cell
is guarded in the same way, so that it ends with RecursionError as on a desktop. A cell may use more than a check leaves
to a student's function, since imports need it: in Chromium 48 KiB are too few for many imports of the standard library,
and with 76 KiB the comparison of two very deep lists was the end.

**Places of modules.** The folder of the notebook stands before all other places that a module may come from. In a
browser it lies behind a request to the page, about 50 ms each, and `from grader import check` would ask there some 60
times. So it stands last here: a module of one's own beside the notebook is still found.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

from publish.pieces import BROWSER_PYTHON

NAME = "browser_profile"
VERSION = "1"
# Handed to Pyodide: where IPython looks for `profile_default`.
ENVIRONMENT = {"HOME": "/home/pyodide", "IPYTHONDIR": f"/lib/python{BROWSER_PYTHON}/site-packages/{NAME}"}
SETUP = """\
import sys

sys.path.sort(key=lambda place: place == "")


def guard_each_cell(shell):
    from grader.engine.depth import depth_limit

    guard = depth_limit(68 * 1024)
    shell.events.register("pre_run_cell", lambda _info: guard.__enter__())
    shell.events.register("post_run_cell", lambda _result: guard.__exit__(None, None, None))


guard_each_cell(get_ipython())
del guard_each_cell, sys
"""
_CONFIG = "c = get_config()\nc.InteractiveShellApp.ignore_cwd = True\n"
_WHEEL = "Wheel-Version: 1.0\nGenerator: publish\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(folder: Path) -> Path:
    """Write the wheel into `folder`; returns its path. The same bytes each time."""
    info = f"{NAME}-{VERSION}.dist-info"
    files = {
        f"{NAME}/profile_default/ipython_config.py": _CONFIG,
        f"{NAME}/profile_default/startup/setup.py": SETUP,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {NAME.replace('_', '-')}\nVersion: {VERSION}\n",
        f"{info}/WHEEL": _WHEEL,
    }
    record = "".join(f"{name},{_digest(text)},{len(text.encode())}\n" for name, text in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n"
    path = folder / f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, text in files.items():
            wheel.writestr(zipfile.ZipInfo(name), text)
    return path


def _digest(text: str) -> str:
    made = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
    return "sha256=" + made.rstrip(b"=").decode("ascii")
