"""IPython's compiler, which takes most of the time that a short cell takes: nothing is parsed twice, and the cells that
all notebooks of a session hold are compiled once for all of them, before any of them runs.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

from IPython.core.compilerop import CachingCompiler, code_name


@dataclass(frozen=True)
class _Compiled:
    """A cell before it runs: what IPython made of its source, the tree of that, and perhaps code for its statements.

    flags: of the compiler when it was made; codes: how each statement was compiled ("exec" or "single"), and the code.
    """

    text: str
    flags: int
    tree: ast.Module
    codes: tuple[tuple[str, CodeType], ...] = ()


class Compiler(CachingCompiler):  # type: ignore[misc]
    """Parses a cell once, although both this file and IPython ask for its tree; a cell that it was told of, before."""

    def __init__(self) -> None:
        super().__init__()
        self.flags: int
        self._known: dict[str, _Compiled] = {}
        self._next: _Compiled | None = None  # what is about to run: handed out once, for whoever gets it may change it
        self._codes: dict[int, tuple[ast.stmt, str, CodeType]] = {}  # by the id of the statement, which is kept with it

    def compile_ahead(self, source: str, text: str) -> None:
        """Make a cell ready that may run later; `text` is what IPython makes of its source."""
        tree = self._parsed(text)
        name = self.get_code_name(source, text, 0)
        before = self.flags
        with self.extra_flags(ast.PyCF_ALLOW_TOP_LEVEL_AWAIT):
            codes = tuple((mode, self(node, name, mode)) for node, mode in _statements(tree))
        if self.flags == before:  # otherwise it imports from __future__, and what that changes comes with compiling it
            self._known[source] = _Compiled(text, before, tree, codes)
        self.flags = before

    def take(self, source: str) -> str | None:
        """The text of a cell that was made ready and is about to run; it is ready once."""
        ready = self._known.pop(source, None)
        self._next = ready if ready is not None and ready.flags == self.flags else None
        return self._next.text if self._next is not None else None

    def parse_ahead(self, source: str) -> None:
        """Parse a cell that is about to run; raises what `compile` raises."""
        self._next = None
        self._next = _Compiled(source, self.flags, self._parsed(source))

    def forget_codes(self) -> None:
        """Something changes trees: code that was made before is not theirs."""
        self._codes.clear()

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        """A name without the cell's number, which nobody knows ahead."""
        name: str = code_name(transformed_code, 0)
        return name

    def ast_parse(self, source: str, filename: str = "<unknown>", symbol: str = "exec") -> ast.AST:
        ready, self._next = self._next, None
        self._codes = {}
        if ready is None or (source, symbol, self.flags) != (ready.text, "exec", ready.flags):
            tree: ast.AST = super().ast_parse(source, filename, symbol)
            return tree
        for node, (mode, code) in zip(ready.tree.body, ready.codes, strict=False):
            self._codes[id(node)] = node, mode, code
        return ready.tree

    def __call__(self, source: Any, filename: str, symbol: str, *args: Any, **keywords: Any) -> Any:
        if self._codes and isinstance(source, ast.Module | ast.Interactive):
            node, mode, code = self._codes.pop(id(source.body[0]), (None, "", None))
            if node is source.body[0] and mode == symbol:
                return code
        return super().__call__(source, filename, symbol, *args, **keywords)

    def _parsed(self, text: str) -> ast.Module:
        tree: ast.Module = super().ast_parse(text)
        return tree


def _statements(tree: ast.Module) -> Iterator[tuple[ast.Module | ast.Interactive, str]]:
    """Each statement as IPython compiles it: the last one, if it is an expression, so that its value is shown."""
    for node in tree.body:
        if node is tree.body[-1] and isinstance(node, ast.Expr):
            yield ast.Interactive([node]), "single"
        else:
            yield ast.Module([node], []), "exec"
