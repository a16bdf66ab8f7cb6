"""A JupyterLab, a Notebook 7 and a Chromium of their own, on loopback, in temporary folders, for one test run."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from applications import TOKEN

from publish.chromium import CHROMIUM, FLAGS

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
START_SECONDS = 60


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder needs a browser, and is skipped with the reason where there is none."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM.is_file():
                reason = f"{CHROMIUM} is missing: `make browser` installs it, or set CHROMIUM to a Chromium of yours"
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course's notebooks, which the browser may change."""
    copy = tmp_path_factory.mktemp("course")
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(notebook, copy)
    if (ROOT / "notebooks" / "pictures").is_dir():
        shutil.copytree(ROOT / "notebooks" / "pictures", copy / "pictures")
    return copy


@pytest.fixture(scope="session")
def server(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Jupyter server that serves JupyterLab at /lab and Notebook 7 at /notebooks."""
    home = tmp_path_factory.mktemp("home")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    places = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    env = {
        **os.environ, "HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "PYTHONPATH": str(ROOT),
        **{f"JUPYTER_{name}": str(home / name.lower()) for name in places},
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }  # fmt: skip
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    news = home / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True)
    news.write_text('{"fetchNews": "false"}', encoding="utf-8")  # or a question stands before what is looked at
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out, start_new_session=True)
    base = f"http://127.0.0.1:{port}"
    try:
        _wait_for(process, base, log)
        yield base
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # the group of this server alone: itself and its kernels
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for(process: "subprocess.Popen[bytes]", base: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{base}/api/status?token={TOKEN}", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"Jupyter did not start: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser with a profile of its own; its window is tall, since Lab draws only cells that are in view."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing: pip install playwright")
    profile = tmp_path_factory.mktemp("profile")
    with playwright.sync_playwright() as made:
        context = made.chromium.launch_persistent_context(
            str(profile), executable_path=str(CHROMIUM), headless=True, args=[*FLAGS, LOOPBACK_ONLY],
            viewport={"width": 1280, "height": 1600},
        )  # fmt: skip
        context.set_default_timeout(30_000)
        yield context
        context.close()
