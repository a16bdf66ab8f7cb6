"""Serves a built site on the loopback address, for one machine or for tests."""

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.authoring.source import ROOT

LOOPBACK = "127.0.0.1"
SITE = ROOT / "build" / "site"  # where a site is built


class ServeError(RuntimeError):
    """There is nothing to serve, or the port is taken: the sentence says what to do."""


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Static files under their right types, which the browser insists on for modules and WebAssembly."""

    extensions_map = {  # noqa: RUF012 - the base class has it as a plain dict
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".ipynb": "application/json",
    }

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
        """Says nothing: a page of the browser's notebooks is hundreds of requests."""


class _Server(http.server.ThreadingHTTPServer):
    """Takes the many requests that a browser makes at once: with the usual five waiting, some come late by seconds."""

    request_queue_size = 128


def server(folder: Path, port: int = 0) -> http.server.ThreadingHTTPServer:
    """A server of `folder` that is bound and not yet running. port: 0 for any free one.

    Raises `ServeError` where the folder holds no site or the port cannot be had.
    """
    if not (folder / "index.html").is_file():
        raise ServeError(f"{folder} holds no index.html: build the site first, with `make site`")
    try:
        return _Server((LOOPBACK, port), functools.partial(_Handler, directory=str(folder)))
    except OSError as error:
        raise ServeError(
            f"port {port} on {LOOPBACK} cannot be had ({error.strerror}): choose another with --port"
        ) from None


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve `folder` from a thread for as long as the block lasts; gives the address, without a slash at its end."""
    running = server(folder)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{running.server_address[1]}"
    finally:
        running.shutdown()
        running.server_close()
        thread.join()
