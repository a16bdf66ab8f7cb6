"""The tools that a run is given: the corpus, a calculator, `file_read` behind a fence, and an offline `web_fetch`.

`toolbox(root)` is the registry of all five; the loop and the MCP server are handed the same one.
"""

from __future__ import annotations

import ast
import math
import operator
import os
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from course.corpus import LARGEST_AMOUNT, convert_currency, list_documents
from course.data import RATES, load
from course.errors import ToolError
from course.schema import Schema
from course.tools import Tool, ToolRegistry

LONGEST_EXPRESSION = 200  # characters; it also bounds how deep the parser can be sent
LARGEST_NUMBER = 10**50
LARGEST_FILE = 64 * 1024  # bytes
MOST_FILES_NAMED = 20

Number = int | float

_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def calculator(expression: str) -> Number:
    """Return the value of an arithmetic expression: numbers, `+ - * / // % **` and parentheses, as Python counts.

    Nothing is evaluated but the tree of these operators; there are no names and no calls. `/` gives a float.
    Raises ToolError for anything else in the expression, for more than 200 characters, for a division by zero, and for
    a number of 10**50 or more on the way: a power is sized up before it is computed.
    """
    if len(expression) > LONGEST_EXPRESSION:
        raise ToolError("calculator", f"the expression is longer than {LONGEST_EXPRESSION} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ToolError("calculator", f"{expression!r} is no arithmetic expression") from None
    return _value(tree.body)


def _value(node: ast.expr) -> Number:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _bounded(node.value)
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _bounded(_OPERATORS[type(node.op)](_value(node.operand)))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow):
            _refuse_huge_power(left, right)
        try:
            return _bounded(_OPERATORS[type(node.op)](left, right))
        except ZeroDivisionError:
            raise ToolError("calculator", "division by zero") from None
        except OverflowError:
            raise ToolError("calculator", "a number on the way is too large") from None
    raise ToolError("calculator", f"only numbers and + - * / // % ** ( ) are known, got {ast.unparse(node)!r}")


def _bounded(number: Any) -> Number:
    if isinstance(number, complex):
        raise ToolError("calculator", "the result is not a real number")
    if not abs(number) < LARGEST_NUMBER:  # also true of NaN
        raise ToolError("calculator", "a number on the way is too large")
    return number  # type: ignore[no-any-return]


def _refuse_huge_power(base: Number, exponent: Number) -> None:
    # Only a power of two whole numbers can grow without bound; floats overflow by themselves.
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and abs(base) > 1 and exponent * math.log10(abs(base)) > math.log10(LARGEST_NUMBER):
        raise ToolError("calculator", "a number on the way is too large")


def file_read(root: Path, path: str) -> str:
    """Return the text of the file `path` under `root`.

    Arguments:
        root: the fence, an existing folder.
        path: relative to root, with `/` between its parts.

    Refused with ToolError: an absolute path, any `..`, any symbolic link on the way, whatever is no regular file, more
    # Drive letters and directory junctions (Windows) are no symbolic links, so the end of the way is judged as well.
    beside the root `ws` stays outside.

    Not held: a process that swaps a file for a link between the look and the read, and a hard link to a file outside.
    """
    try:
        return _text(_inside(root.resolve(), path), path)
    except (OSError, ValueError) as error:  # such as a name that is too long, or one that the system cannot encode
        raise ToolError("file_read", f"{path!r} cannot be read ({type(error).__name__})") from error


def _inside(fence: Path, path: str) -> Path:
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
        raise ToolError("file_read", f"{path!r} must be relative, with '/' between its parts and without '..'")
    place = fence
    for part in parts:
        place = place / part
        if place.is_symlink():
            raise ToolError("file_read", f"{path!r} goes through a symbolic link, and links may lead out")
    # Drive letters and directory junctions (Windows) are no symbolic links, so the end of the way is compared as well.
    if not place.resolve().is_relative_to(fence):
        raise ToolError("file_read", f"{path!r} is outside the folder that may be read")
    if not place.is_file():
        raise ToolError("file_read", f"no file {path!r}", islice(_files(fence), MOST_FILES_NAMED))
    return place


def _text(place: Path, path: str) -> str:
    with place.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ToolError("file_read", f"{path!r} is larger than {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError("file_read", f"{path!r} is not UTF-8 text") from error


def _files(fence: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(fence):
        folders.sort()
        for name in sorted(names):
            place = Path(folder, name)
            if place.is_file() and not place.is_symlink():
                yield place.relative_to(fence).as_posix()


PAGES: Mapping[str, str] = load("pages")


def web_fetch(url: str) -> str:
    """Return the text of one of the pages kept in `course/data/pages.json`. Nothing leaves the machine.

    A live fetch of any address that a model names would let it reach whatever the machine can reach: the metadata
    service of a cloud, a router, a database (server-side request forgery). Doing it for real needs a list of allowed
    hosts, checked after every redirect. Raises ToolError, with the addresses that there are, for any other.
    """
    if url not in PAGES:
        raise ToolError("web_fetch", f"no page {url!r} offline", PAGES)
    return PAGES[url]


def _object(required: list[str], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_CODE: Schema = {"type": "string", "enum": sorted(RATES)}

LIST_DOCUMENTS = Tool(
    "list_documents",
    "Lists the ids of the documents that carry a tag, or of all documents.",
    _object(
        [], tag={"type": ["string", "null"], "description": "matched whole; null or left out means every document"}
    ),
    list_documents,
    idempotent=True,
)

CONVERT_CURRENCY = Tool(
    "convert_currency",
    "Converts an amount of money with a fixed table, rounded to two decimals.",
    _object(
        ["amount", "source", "target"],
        amount={"type": "number", "exclusiveMinimum": -LARGEST_AMOUNT, "exclusiveMaximum": LARGEST_AMOUNT},
        source=_CODE,
        target=_CODE,
    ),
    convert_currency,
    idempotent=True,
)

CALCULATOR = Tool(
    "calculator",
    "Computes an arithmetic expression of numbers, + - * / // % ** and parentheses.",
    _object(["expression"], expression={"type": "string", "minLength": 1, "maxLength": LONGEST_EXPRESSION}),
    calculator,
    idempotent=True,
)

WEB_FETCH = Tool(
    "web_fetch",
    "Returns the text of a page that is kept offline.",
    _object(["url"], url={"type": "string"}),
    web_fetch,
    idempotent=True,
)


def file_read_tool(root: Path) -> Tool:
    """Return `file_read` as a tool fenced to `root`, which the model neither sees nor chooses."""

    def fenced(path: str) -> str:
        return file_read(root, path)

    description = "Returns the text of a file in the working folder."
    return Tool("file_read", description, _object(["path"], path={"type": "string"}), fenced, idempotent=True)


def toolbox(root: Path) -> ToolRegistry:
    """Return the registry of the five tools; `file_read` sees what is under `root` and nothing else."""
    return ToolRegistry([LIST_DOCUMENTS, CONVERT_CURRENCY, CALCULATOR, file_read_tool(root), WEB_FETCH])
