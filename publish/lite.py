"""JupyterLite: the sessions in a browser, with the course and the grader in them, from files alone.

`build(out)` makes the app; `out/notebooks/index.html?path=ch05-deterministic-mini-agent.ipynb` opens a session. Its
addresses are relative: the folder can be copied anywhere. What is done there stays in the browser's own storage.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from grader.authoring.release import NOTEBOOKS
from grader.authoring.source import ROOT
from publish import lock, profile
from publish.pieces import fetch, pinned, wheel_of

LABEXTENSIONS = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
KERNEL = "@jupyterlite/pyodide-kernel-extension"
WIDGETS = "@jupyter-widgets/jupyterlab-manager"
KERNEL_WHEELS = ("ipykernel-*.whl", "piplite-*.whl", "pyodide_kernel-*.whl", "widgetsnbextension-4.*.whl")
OURS = "trusted-agent-course"
# What a browser does without. `course` and what a notebook sees of `grader` are standard library only, and the other
# wheel carries the front end's half of the widgets for a server.
WITHOUT = {
    OURS: "jinja2 jupyter jupytext mcp msgspec nbclient nbformat pytest rich typer watchfiles".split(),
    "ipywidgets": ["jupyterlab-widgets"],
}
# Loaded while the page is drawn, all at once; the rest follows on `import`.
PRELOADED = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", OURS, "browser-profile")
# Descriptions of packages that are not there: of 5,600 files, each unpacked at each start, 1,000 are left.
LEFT_OUT = {"jedi": ("jedi/third_party/django-stubs/", "jedi/third_party/typeshed/stubs/")}
SAVE_SECONDS = 5  # after a change, so that a reload loses no more than that
CONFIG: dict[str, Any] = {
    "LiteBuildConfig": {
        "contents": ["files"],
        "apps": ["notebooks", "edit", "tree", "lab"],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "ignore_sys_prefix": ["federated_extensions"],  # or whatever else is installed here would come along
        "federated_extensions": [str(LABEXTENSIONS / name) for name in (KERNEL, WIDGETS)],
    }
}
SITE: dict[str, Any] = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Agent loops that can be trusted",
        "exposeAppInBrowser": True,
        "litePluginSettings": {
            f"{KERNEL}:kernel": {
                "disablePyPIFallback": True,
                "loadPyodideOptions": {"packages": list(PRELOADED), "env": profile.ENVIRONMENT},
                "pyodideUrl": "./static/pyodide/pyodide.mjs",
            }
        },
    },
}
SETTINGS: dict[str, Any] = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": SAVE_SECONDS},
}
# Put before JupyterLite's own. What comes through a worker the browser compiles anew each time, WebAssembly included.
PASS_BY = """// What a kernel asks the page goes through this worker. Files do not: the browser keeps what it compiled.
self.addEventListener('fetch', event => {
  if (!new URL(event.request.url).pathname.includes('/api/')) event.stopImmediatePropagation();
});
"""
# A page without an icon asks the root of its server for one, where it is not ours to put.
HEAD = ("<html>\n<head>", '<html lang="en">\n<head>\n    <link rel="icon" href="../lab/favicon.ico">')


class LiteError(RuntimeError):
    """The app could not be built. Its text says what failed, and holds the last lines of what was said."""


def build(out: Path) -> None:
    """Build the app anew in the folder `out`, which is emptied. Raises PieceError, LockError and LiteError."""
    pieces = fetch()
    with tempfile.TemporaryDirectory(prefix="lite-", dir=pieces.parent) as folder:
        source = Path(folder, "source")
        (source / "files").mkdir(parents=True)
        for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
            shutil.copyfile(notebook, source / "files" / notebook.name)
        wheels = [our_wheel(Path(folder, "wheel")), profile.write_wheel(Path(folder)), *_kernel_wheels()]
        wheels += filter(None, (wheel_of(one, pieces) for one in pinned()))
        lock.write(pieces / "pyodide", wheels, source / "static" / "pyodide", WITHOUT, LEFT_OUT)
        _write_json(source / "jupyter_lite_config.json", CONFIG)
        _write_json(source / "jupyter-lite.json", SITE)
        _write_json(source / "overrides.json", SETTINGS)
        shutil.rmtree(out, ignore_errors=True)
        _run([sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", str(out.resolve())], source)
    _amend(out)


def _kernel_wheels() -> list[Path]:
    """The kernel's own wheels, and its stand-ins for those of a desktop."""
    folder = LABEXTENSIONS / KERNEL / "static" / "pypi"
    return [wheel for pattern in KERNEL_WHEELS for wheel in sorted(folder.glob(pattern))]


def our_wheel(folder: Path, root: Path = ROOT) -> Path:
    """Build the wheel of the project in `root` into `folder`; returns its path."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder.resolve()), str(root)]
    folder.mkdir(parents=True, exist_ok=True)
    _run(command, folder)
    return next(folder.glob("*.whl"))


def _amend(out: Path) -> None:
    """What JupyterLite has no setting for. Raises LiteError where its pages no longer look as they did."""
    # The address of Pyodide changes with what is in it: a browser that kept half of an earlier one refuses the rest.
    pyodide = out / "static" / "pyodide"
    name = f"pyodide-{hashlib.sha256((pyodide / lock.LOCK).read_bytes()).hexdigest()[:12]}"
    pyodide.rename(pyodide.with_name(name))
    settings = out / "jupyter-lite.json"
    _write(settings, settings.read_text(encoding="utf-8").replace("./static/pyodide/", f"./static/{name}/"))
    worker = out / "service-worker.js"
    _write(worker, PASS_BY + worker.read_text(encoding="utf-8"))
    for page in sorted(out.glob("*/index.html")):
        text = page.read_text(encoding="utf-8")
        if HEAD[0] not in text:
            raise LiteError(f"{page.relative_to(out)} does not begin as it did: look at HEAD in publish/lite.py")
        _write(page, text.replace(*HEAD, 1))


def _write_json(path: Path, value: object) -> None:
    _write(path, json.dumps(value, indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _run(command: list[str], folder: Path) -> None:
    """Run a build step in `folder`, where it may leave what it likes; no settings of this user's Jupyter get in."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "JUPYTER_NO_CONFIG": "1"}, capture_output=True, text=True
    )
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-20:])
        raise LiteError(f"`{' '.join(command[1:4])}` failed with exit {done.returncode}; its last lines:\n{said}")
