"""`python -m publish …`: builds the site, serves it, prints the PDF, and compares the browser's verdicts."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from grader.authoring.source import ROOT
from publish.serve import LOOPBACK, SITE

PDF = ROOT / "build" / "course.pdf"

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)


@app.command()
def site(
    out: Annotated[Path, typer.Option(help="the folder to write, emptied first")] = SITE,
    with_lite: Annotated[bool, typer.Option("--lite/--no-lite", help="with the notebooks in the browser")] = True,
) -> None:
    """Build the pages and the browser's notebooks into one folder, and check every link."""
    from publish import book, links

    book.build(out)
    print(f"pages: {out}")
    if with_lite:
        from publish import lite as browser

        browser.build(out / links.APPLICATION)
        print(f"notebooks in the browser: {out / links.APPLICATION}")
    found = [one for one in links.broken(out) if with_lite or f"{links.APPLICATION}/" not in one.link]
    for one in found:
        print(one, file=sys.stderr)
    if found:
        raise typer.Exit(1)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"links of {len(links.pages(out))} pages checked; {size / 1e6:.1f} MB in all; look at it with `make serve`")


@app.command()
def lite(out: Annotated[Path, typer.Option(help="the folder to write")] = SITE / "lite") -> None:
    """Build the browser's notebooks alone."""
    from publish import lite as browser

    browser.build(out)
    print(out)


@app.command()
def pdf(
    folder: Annotated[Path, typer.Option("--site", help="the built site")] = SITE,
    out: Annotated[Path, typer.Option(help="the file to write")] = PDF,
) -> None:
    """Print the course as a PDF, with Chromium."""
    from publish import pdf as printer

    printer.build(folder, out)
    print(out)


@app.command()
def serve(
    folder: Annotated[Path, typer.Option("--site", help="the built site")] = SITE,
    port: Annotated[int, typer.Option(help="0: any that is free")] = 8000,
) -> None:
    """Serve the built site on the loopback address, until interrupted."""
    from publish.serve import server

    running = server(folder, port)
    print(f"http://{LOOPBACK}:{running.server_address[1]}/ – Ctrl+C ends it", flush=True)
    try:
        running.serve_forever()
    except KeyboardInterrupt:
        running.server_close()


@app.command()
def parity() -> None:
    """Judge every kept answer in the browser's Python and here, and write docs/browser-verdicts.md."""
    from publish import parity as browser

    browser.run()


def main() -> None:
    """Runs the command line; what a user can put right is one sentence and exit code 2."""
    try:
        app()
    except (RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
