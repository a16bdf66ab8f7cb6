"""`compare`: yours beside what it should be, before anyone judges it. It runs even while the stub raises."""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any


class Comparison:
    """Rows of (what, yours, expected), shown as a table in a notebook and as text elsewhere."""

    def __init__(self, rows: list[tuple[str, str, str]], note: str) -> None:
        self.rows = rows
        self.note = note

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        """(what, yours, expected, how they compare), the two values cut to a readable length after the comparison."""
        for what, yours, expected in self.rows:
            yield what, _cut(yours), _cut(expected), "" if self.note else "same" if yours == expected else "differs"

    def __repr__(self) -> str:
        lines = [self.note] if self.note else []
        for what, yours, expected, mark in self._rows():
            lines += [what, f"  yours     {yours}", f"  expected  {expected}  {mark}".rstrip()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cell = "padding:2px 12px 2px 0;text-align:left;vertical-align:top"
        head = "".join(f'<th style="{cell}">{title}</th>' for title in ("", "yours", "expected", ""))
        body = ""
        for what, yours, expected, mark in self._rows():
            texts = "".join(f'<td style="{cell}"><code>{escape(text)}</code></td>' for text in (yours, expected))
            body += f'<tr><th style="{cell}">{escape(what)}</th>{texts}<td style="{cell}">{mark}</td></tr>'
        note = f"<div>{escape(self.note)}</div>" if self.note else ""
        return f'{note}<table style="border-collapse:collapse"><tr>{head}</tr>{body}</table>'


def compare(run: Callable[[], Any], /, expected: object = None, **keys: object) -> Comparison:
    """Run `run()` and show its value beside `expected`, or each of its `keys` beside theirs.

    For a key whose expected value is an int and whose own value is a list, the length is compared.
    """
    value: Any = None
    note = ""
    try:
        value = run()
    except NotImplementedError as stub:
        note = f"not written yet ({stub})"
    except Exception as error:
        note = f"yours raised {type(error).__name__}: {error}"
    if not keys:
        return Comparison([("value", "–" if note else repr(value), repr(expected))], note)
    rows = []
    for key, wanted in keys.items():
        mine = value.get(key) if isinstance(value, dict) else None
        if isinstance(mine, list) and isinstance(wanted, int):
            mine = len(mine)
        rows.append((key, "–" if note else repr(mine), repr(wanted)))
    return Comparison(rows, note)


def _cut(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
