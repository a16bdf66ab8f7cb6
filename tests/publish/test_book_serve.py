"""The server of a built site: loopback only, the types that a browser insists on, sentences for what is missing."""

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from publish.serve import ServeError, served, server

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("index.html", "a.mjs", "b.wasm", "c.ipynb"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    return tmp_path


def test_modules_and_webassembly_come_under_their_types(site: Path) -> None:
    types = {}
    with served(site) as base:
        assert base.startswith("http://127.0.0.1:")
        for name in ("", "a.mjs", "b.wasm", "c.ipynb"):
            with urllib.request.urlopen(f"{base}/{name}", timeout=10) as answer:
                types[name] = answer.headers["Content-Type"]
    javascript, wasm, notebook = "text/javascript", "application/wasm", "application/json"
    assert types == {"": "text/html", "a.mjs": javascript, "b.wasm": wasm, "c.ipynb": notebook}


def test_a_folder_without_a_site_is_named(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match=r"holds no index\.html: build the site first"):
        server(tmp_path)


def test_a_port_that_is_taken_is_named(site: Path) -> None:
    first = server(site)
    try:
        with pytest.raises(ServeError, match="cannot be had"):
            server(site, first.server_address[1])
    finally:
        first.server_close()


def test_the_command_says_in_one_sentence_what_to_do(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "publish", "serve", "--site", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr.strip() == f"{tmp_path} holds no index.html: build the site first, with `make site`"
