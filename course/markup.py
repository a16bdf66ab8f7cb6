"""The HTML of verdicts and of runs: inline styles, no script, nothing fetched, and nothing that colour alone says.

Text has the colour that the page gives it, on whatever ground the page has. What is coloured brings its own ground (a
badge) or is a line beside the text (an edge), since no single colour of text is readable on white and on black alike.
"""

from __future__ import annotations

from html import escape
from typing import Literal

Tone = Literal["good", "bad", "plain", "stop"]

MARKS: dict[Tone, str] = {"good": "✓", "bad": "✗", "plain": "·", "stop": "■"}
GROUNDS: dict[Tone, str] = {"good": "#1b7a48", "bad": "#b8382a", "plain": "#5f6670", "stop": "#5f6670"}
EDGES: dict[Tone, str] = {"good": "#2f9e66", "bad": "#dc5540", "plain": "#8b8b8b", "stop": "#8b8b8b"}

BOX = "border:1px solid #8888;border-radius:6px;padding:8px 12px;margin:4px 0;max-width:60em;line-height:1.45"
HEAD = "display:flex;flex-wrap:wrap;justify-content:space-between;gap:2px 16px"
TABLE = "border-collapse:collapse;margin:2px 0 6px 0;width:100%"
CELL = "padding:1px 10px 1px 6px;text-align:left;vertical-align:top;font-weight:normal;white-space:normal"
MONO = "font-family:monospace;font-size:95%;white-space:pre-wrap;overflow-wrap:anywhere"

_NAME = "font-family:monospace;font-size:95%;background:none;padding:0;color:inherit"


def printable(text: str) -> str:
    """`text` with its control characters spelled out, since a terminal or a browser would obey them."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else ascii(char)[1:-1] for char in text)


def short(text: str, most: int) -> str:
    """`text` as `printable` has it, of at most about `most` characters; what its middle leaves out is counted."""
    shown = printable(text) if len(text) <= most else text
    if len(shown) <= most:
        return shown
    head = most * 2 // 3
    start, end = printable(text[:head])[:head], printable(text[len(text) - (most - head) :])[head - most :]
    return f"{start} … ({len(text):,} characters) … {end}"


def code(text: str) -> str:
    """A value as it stands, on its own: right-to-left text does not reach what stands beside it."""
    return f'<bdi style="{MONO}">{escape(printable(text))}</bdi>'


def said(text: str) -> str:
    """A sentence, with `names` in it as code; what it quotes keeps its direction to itself."""
    parts = escape(printable(text)).split("`")
    if len(parts) % 2 == 0:  # a lone backtick is a backtick
        parts = ["`".join(parts)]
    names = (f'<code style="{_NAME}">{part}</code>' if n % 2 else part for n, part in enumerate(parts))
    return f"<bdi>{''.join(names)}</bdi>"


def badge(tone: Tone, words: str) -> str:
    """A mark and a word, white on a ground of its own."""
    style = f"background:{GROUNDS[tone]};color:#ffffff;border-radius:4px;padding:0 6px;white-space:nowrap"
    return f'<span style="{style}"><span aria-hidden="true">{MARKS[tone]}</span> {escape(words)}</span>'


def edge(tone: Tone) -> str:
    """The style of a line at the left of what went this way."""
    return f"border-left:4px solid {EDGES[tone]};padding-left:8px"


def header(text: str, scope: Literal["row", "col"], style: str = "") -> str:
    """A header cell of a table, for the eye and for a screen reader."""
    return f'<th scope="{scope}" style="{CELL};{style}">{text}</th>'


def meter(name: str, used: int, most: int) -> str:
    """A bar with its numbers in words."""
    words = escape(f"{used} of {most} {name} used")
    bar = f'<progress value="{min(used, max(most, 1))}" max="{max(most, 1)}" aria-label="{words}"></progress>'
    return f'<span style="white-space:nowrap">{bar} {words}</span>'
