"""Pages of the library's modules, made from their docstrings: MyST Markdown with Sphinx's Python domain.

The docstrings are Markdown in plain words, so they are taken as they are. Signatures are read from the source text and
shown as their author wrote them; nothing is imported.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.source import ROOT

PACKAGES = {
    "course": "The library that the sessions build: standard library only, but for what its page says.",
    "grader.engine": "What a check is made of, for people who write checks.",
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ARGUMENT = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*): ")


@dataclass(frozen=True)
class Module:
    """One module: its dotted name and its parsed source."""

    name: str
    tree: ast.Module

    @property
    def says(self) -> str:
        """The first line of its docstring."""
        return (ast.get_docstring(self.tree) or "").partition("\n")[0]


class _Qualify(ast.NodeTransformer):
    """Gives the names in annotations the module that they come from, which `~` tells Sphinx not to show."""

    def __init__(self, tree: ast.Module) -> None:
        found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        self._home: Mapping[str, str] = {
            alias.asname or alias.name: f"~{node.module}.{alias.name}"
            for node in found
            if (node.module or "").startswith(("course.", "grader."))
            for alias in node.names
        }

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        of = node.args
        for one in [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg]:
            if one is not None and one.annotation is not None:
                one.annotation = self._named(one.annotation)
        if node.returns is not None:
            node.returns = self._named(node.returns)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.annotation = self._named(node.annotation)
        return node

    def _named(self, annotation: ast.expr) -> ast.expr:
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.parse(annotation.value, mode="eval").body
        for node in ast.walk(annotation):
            if isinstance(node, ast.Name):
                node.id = self._home.get(node.id, node.id)
        return annotation


def write(folder: Path, root: Path = ROOT) -> list[Path]:
    """Write a page for each public module of `PACKAGES` and an index into `folder`; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made, index = [], ["# API", ""]
    for package, says in PACKAGES.items():
        modules = list(public_modules(package, root))
        index += [f"## `{package}`", "", says, "", "| module | what it is |", "|---|---|"]
        index += [f"| [`{one.name}`]({one.name}.md) | {_cell(one.says)} |" for one in modules]
        index += ["", "```{toctree}", ":hidden:", "", *(one.name for one in modules), "```", ""]
        for one in modules:
            path = folder / f"{one.name}.md"
            path.write_text(module_page(one), encoding="utf-8", newline="\n")
            made.append(path)
    path = folder / "index.md"
    path.write_text("\n".join(index), encoding="utf-8", newline="\n")
    return [*made, path]


def public_modules(package: str, root: Path = ROOT) -> Iterator[Module]:
    """The modules below `package` that say something and whose name does not begin with an underscore, by name."""
    base = root.joinpath(*package.split("."))
    for path in sorted(base.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if ast.get_docstring(tree) and "__main__" not in parts:
            yield Module(name, _Qualify(tree).visit(tree))


def module_page(module: Module) -> str:
    """The page of one module: its docstring, then its public classes and functions in the order of the source."""
    parts = [f"# `{module.name}`", f"```{{py:module}} {module.name}\n```", ast.get_docstring(module.tree) or ""]
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and _public(node):
            parts.append(_class(node))
        elif isinstance(node, _Function) and _public(node):
            parts.append(_directive("function", node.name + _signature(node), _said(node, _arguments(node))))
    return "\n\n".join(parts) + "\n"


def _public(node: ast.ClassDef | _Function) -> bool:
    return not node.name.startswith("_") and bool(ast.get_docstring(node))


def _class(node: ast.ClassDef) -> str:
    init = next((one for one in node.body if isinstance(one, _Function) and one.name == "__init__"), None)
    fields = _fields(node) if any("dataclass" in ast.unparse(one) for one in node.decorator_list) else []
    if init is not None:
        signature, names = _signature(init, bound=True, returns=False), _arguments(init)
    else:
        signature = f"({', '.join(ast.unparse(_plain(one)) for one in fields)})" if fields else ""
        names = [ast.unparse(one.target) for one in fields]
    parts = [_said(node, names)]
    if init is not None and ast.get_docstring(init):
        parts.append(_said(init, names))
    for one in node.body:
        if isinstance(one, _Function) and _public(one):
            parts.append(_method(one))
    return _directive("class", node.name + signature, "\n\n".join(parts), depth=5)


def _method(node: _Function) -> str:
    marks = [ast.unparse(one) for one in node.decorator_list]
    said = _said(node, _arguments(node))
    if any(mark.endswith("property") for mark in marks):
        kind = f":type: {ast.unparse(node.returns)}\n" if node.returns else ""
        return _directive("property", f"{node.name}\n{kind}", said)
    how = next((mark for mark in marks if mark in ("classmethod", "staticmethod")), "")
    option = f"\n:{how}:\n" if how else ""
    return _directive("method", node.name + _signature(node, bound=how != "staticmethod") + option, said)


def _fields(node: ast.ClassDef) -> list[ast.AnnAssign]:
    """The public fields of a dataclass that its constructor takes."""
    return [
        one
        for one in node.body
        if isinstance(one, ast.AnnAssign)
        and not ast.unparse(one.target).startswith("_")
        and "init=False" not in ast.unparse(one)
    ]


def _plain(field: ast.AnnAssign) -> ast.AnnAssign:
    """The field with `…` for a default that is made by a call of `field`."""
    made = isinstance(field.value, ast.Call) and ast.unparse(field.value.func).endswith("field")
    value = ast.Constant(...) if made else field.value
    return ast.AnnAssign(field.target, field.annotation, value, field.simple)


def _signature(node: _Function, bound: bool = False, returns: bool = True) -> str:
    text = ast.unparse(node.args)
    if bound:  # `self` and `cls` are not handed over
        text = re.sub(r"^\w+(?:, /)?(?:, |$)", "", text)
    return f"({text})" + (f" -> {ast.unparse(node.returns)}" if returns and node.returns else "")


def _arguments(node: _Function) -> list[str]:
    of = node.args
    return [one.arg for one in [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg] if one is not None]


def _said(node: ast.ClassDef | _Function, names: Sequence[str]) -> str:
    """A docstring, with a list made of the lines that begin with the names of arguments."""
    lines: list[str] = []
    in_list = False
    for line in (ast.get_docstring(node) or "").splitlines():
        found = _ARGUMENT.match(line)
        if found and all(name.strip("*") in names for name in found[1].split(", ")):
            lines += [*([] if in_list else [""]), f"- `{found[1]}`: {line[found.end() :]}"]
            in_list = True
        elif in_list and line.strip() and lines[-1].endswith(".") and not line.startswith(" "):
            lines += ["", line]  # a sentence has ended, and this is about something else
            in_list = False
        else:
            lines.append(f"  {line.strip()}" if in_list else line)
            in_list = in_list and bool(line.strip())
    return "\n".join(lines)


def _directive(kind: str, head: str, body: str, depth: int = 4) -> str:
    fence = ":" * depth
    return f"{fence}{{py:{kind}}} {head}\n\n{body}\n{fence}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
