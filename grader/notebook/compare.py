"""`compare`: yours beside what it should be, before anyone judges it. It runs even while the stub raises."""

from collections.abc import Callable, Iterator
from typing import Any

from course.markup import CELL, TABLE, Tone, badge, code, edge, header, printable, said


class Comparison:
    """Rows of (what, yours, expected), shown as a table in a notebook and as text elsewhere."""

    def __init__(self, rows: list[tuple[str, str, str]], note: str) -> None:
        self.rows = rows
        self.note = note

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        """(what, yours, expected, how they compare), the two values cut to a readable length after the comparison."""
        for what, yours, expected in self.rows:
            yield (
                _cut(what),
                _cut(yours),
                _cut(expected),
                "" if self.note else "same" if yours == expected else "differs",
            )

    def __repr__(self) -> str:
        lines = [_cut(self.note)] if self.note else []
        for what, yours, expected, mark in self._rows():
            lines += [what, f"  yours     {yours}", f"  expected  {expected}  {mark}".rstrip()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        titles = {"what": "20%", "yours": "33%", "expected": "33%", "": "14%"}
        head = "".join(header(title, "col", f"font-weight:bold;width:{width}") for title, width in titles.items())
        body = "".join(self._row_html(*row) for row in self._rows())
        note = f"<div>{said(self.note)}</div>" if self.note else ""
        return f'{note}<table style="{TABLE};max-width:60em"><tr>{head}</tr>{body}</table>'

    def _row_html(self, what: str, yours: str, expected: str, how: str) -> str:
        tone: Tone = "good" if how == "same" else "bad" if how == "differs" else "plain"
        texts = "".join(f'<td style="{CELL}">{code(text)}</td>' for text in (yours, expected))
        mark = badge(tone, how) if how else ""
        return f'<tr>{header(code(what), "row", edge(tone))}{texts}<td style="{CELL}">{mark}</td></tr>'

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


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
        return Comparison([("value", "–" if note else _repr(value), _repr(expected))], note)
    rows = []
    for key, wanted in keys.items():
        mine = value.get(key) if isinstance(value, dict) else None
        if isinstance(mine, list) and isinstance(wanted, int):
            mine = len(mine)
        rows.append((key, "–" if note else _repr(mine), _repr(wanted)))
    return Comparison(rows, note)


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__} that cannot be shown: {type(error).__name__}>"


def _cut(text: str) -> str:
    return printable(text if len(text) <= 200 else f"{text[:200]}…")
