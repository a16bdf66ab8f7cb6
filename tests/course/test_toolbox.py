"""The calculator without eval, the fence of file_read with its traps, the offline web_fetch, and the five as tools."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.calls import InvalidArgumentsError, call_tool
from course.errors import ToolError
from course.toolbox import LARGEST_FILE, PAGES, calculator, file_read, toolbox, web_fetch

# --- calculator ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("17 * 23", 391),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        (" -3 ** 2 ", -9),
        ("7 / 2", 3.5),
        ("6 / 3", 2.0),
        ("7 // 2", 3),
        ("-7 % 3", 2),
        ("2 ** -1", 0.5),
        ("2 ** 0.5", 2**0.5),
        ("+1.5e3", 1500.0),
        ("1 ** 10 ** 49", 1),
        ("10 ** 49", 10**49),
    ],
)
def test_arithmetic_has_the_value_that_python_gives_it(expression: str, value: float) -> None:
    assert calculator(expression) == value
    assert type(calculator(expression)) is type(value)


SUMS = st.recursive(
    st.integers(0, 999).map(str),
    lambda part: st.tuples(part, st.sampled_from(["+", "-", "*"]), part).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
    max_leaves=8,
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(SUMS)
def test_a_generated_sum_agrees_with_eval(expression: str) -> None:
    assert calculator(expression) == eval(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "   ",
        "1 +",
        "1 2",
        "x",
        "abs(1)",
        "__import__('os').system('true')",
        "().__class__",
        "[1][0]",
        "'a' * 3",
        "True + 1",
        "1j",
        "1 < 2",
        "1 and 2",
        "1 if 1 else 2",
        "~1",
        "1 << 9",
        "1 @ 2",
        "lambda: 1",
        "(x := 1)",
        "1; 2",
        "1\n2",
        "f'{1}'",
        "...",
        "\0",
        "\ud800",
        "((" * 90,
    ],
)
def test_anything_but_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(ToolError, match=r"^calculator: "):
        calculator(expression)


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("1 / 0", "division by zero"),
        ("1 // 0", "division by zero"),
        ("1 % 0.0", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("9 ** 9 ** 9", "too large"),
        ("9 ** 9 ** 9 * 0", "too large"),
        ("(-9) ** (9 ** 9)", "too large"),
        ("2 ** 10 ** 49", "too large"),
        ("10 ** 50", "too large"),
        ("10 ** 49 * 10", "too large"),
        ("1e400", "too large"),
        ("1e49 ** 1e49", "too large"),
        ("1" * 60, "too large"),
        ("(-8) ** 0.5", "not a real number"),
        ("1 + " * 50 + "1", "longer than 200 characters"),
    ],
)
def test_a_number_without_bound_is_refused_and_not_computed(expression: str, problem: str) -> None:
    with pytest.raises(ToolError, match=problem):
        calculator(expression)


def test_the_deepest_expression_that_fits_is_answered_or_refused_and_never_crashes() -> None:
    assert calculator("-" * 198 + "1") == 1
    assert calculator("(" * 90 + "1" + ")" * 90) == 1


# --- file_read ----------------------------------------------------------------------------------------------------


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A root `ws` with two files, and beside it `ws-secret`, whose name begins with the root's."""
    root = tmp_path / "ws"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("inside", encoding="utf-8")
    (root / "sub" / "b.txt").write_bytes("é\r\n".encode())
    (tmp_path / "ws-secret").mkdir()
    (tmp_path / "ws-secret" / "key.txt").write_text("SECRET", encoding="utf-8")
    return root


def test_a_file_inside_is_read_byte_for_byte(ws: Path) -> None:
    assert file_read(ws, "a.txt") == file_read(ws, "./a.txt") == "inside"
    assert file_read(ws, "sub/b.txt") == "é\r\n"


@pytest.mark.parametrize(
    "path",
    [
        "../ws-secret/key.txt",
        "sub/../../ws-secret/key.txt",
        "..",
        "sub/../a.txt",
        "../ws/a.txt",
        "..\\ws-secret\\key.txt",
    ],
)
def test_dot_dot_is_refused_even_where_it_would_lead_back_inside(ws: Path, path: str) -> None:
    with pytest.raises(ToolError, match=r"must be relative, with '/' between its parts and without '\.\.'"):
        file_read(ws, path)


def test_a_sibling_that_shares_the_roots_prefix_is_outside(ws: Path) -> None:
    with pytest.raises(ToolError, match="must be relative"):
        file_read(ws, str(ws.parent / "ws-secret" / "key.txt"))
    with pytest.raises(ToolError, match=r"no file '-secret/key\.txt'"):
        file_read(ws, "-secret/key.txt")


@pytest.mark.parametrize("target", ["../ws-secret/key.txt", "a.txt"])
def test_a_symlink_to_a_file_is_refused_wherever_it_leads(ws: Path, target: str) -> None:
    (ws / "link.txt").symlink_to(target)
    with pytest.raises(ToolError, match=r"'link\.txt' goes through a symbolic link"):
        file_read(ws, "link.txt")


def test_a_symlink_to_a_folder_on_the_way_is_refused(ws: Path) -> None:
    (ws / "away").symlink_to(ws.parent / "ws-secret")
    with pytest.raises(ToolError, match="goes through a symbolic link"):
        file_read(ws, "away/key.txt")


def test_a_link_that_does_not_say_so_is_caught_by_where_it_ends(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ws / "junction").symlink_to(ws.parent / "ws-secret")
    monkeypatch.setattr(Path, "is_symlink", lambda _: False)  # as a Windows junction behaves
    with pytest.raises(ToolError, match="is outside the folder that may be read"):
        file_read(ws, "junction/key.txt")


def test_a_root_that_is_itself_reached_by_a_link_can_be_read(ws: Path) -> None:
    (ws.parent / "door").symlink_to(ws)
    assert file_read(ws.parent / "door", "a.txt") == "inside"


@pytest.mark.parametrize("path", ["/etc/passwd", "//a.txt", "a\0.txt", "C:\\a.txt"])
def test_an_absolute_or_odd_path_is_refused(ws: Path, path: str) -> None:
    with pytest.raises(ToolError, match="must be relative"):
        file_read(ws, path)


def test_a_missing_file_is_refused_with_the_files_that_there_are_and_no_links_among_them(ws: Path) -> None:
    (ws / "link.txt").symlink_to("../ws-secret/key.txt")
    with pytest.raises(ToolError) as refused:
        file_read(ws, "c.txt")
    assert str(refused.value) == "file_read: no file 'c.txt' (have: a.txt, sub/b.txt)"


def test_at_most_twenty_files_are_named(ws: Path) -> None:
    for index in range(40):
        (ws / f"f{index:02}.txt").touch()
    with pytest.raises(ToolError) as refused:
        file_read(ws, "none.txt")
    assert str(refused.value).endswith("f17.txt, f18.txt)")


@pytest.mark.parametrize("path", ["", ".", "sub", "sub/"])
def test_a_folder_is_no_file(ws: Path, path: str) -> None:
    with pytest.raises(ToolError, match="no file"):
        file_read(ws, path)


def test_a_pipe_is_no_file_and_is_not_waited_for(ws: Path) -> None:
    os.mkfifo(ws / "pipe")
    with pytest.raises(ToolError, match="no file 'pipe'"):
        file_read(ws, "pipe")


def test_a_file_of_the_largest_size_is_read_and_one_byte_more_is_refused(ws: Path) -> None:
    (ws / "big.txt").write_bytes(b"x" * LARGEST_FILE)
    assert len(file_read(ws, "big.txt")) == LARGEST_FILE
    (ws / "big.txt").write_bytes(b"x" * (LARGEST_FILE + 1))
    with pytest.raises(ToolError, match="larger than 65536 bytes"):
        file_read(ws, "big.txt")


def test_bytes_that_are_not_utf8_are_refused(ws: Path) -> None:
    (ws / "b.bin").write_bytes(b"\xff\xfe")
    with pytest.raises(ToolError, match="is not UTF-8 text"):
        file_read(ws, "b.bin")


@pytest.mark.parametrize("path", ["x" * 300, "\ud800", "a.txt/b"])
def test_a_path_that_the_system_cannot_take_is_a_refusal_and_no_crash(ws: Path, path: str) -> None:
    with pytest.raises(ToolError, match=r"^file_read: "):
        file_read(ws, path)


def test_a_file_that_cannot_be_opened_is_refused_without_the_roots_own_path(
    ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, *_: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ToolError) as refused:
        file_read(ws, "a.txt")
    assert str(refused.value) == "file_read: 'a.txt' cannot be read (PermissionError)"
    assert isinstance(refused.value.__cause__, PermissionError)


@pytest.mark.parametrize("path", ["../x", "c.txt", "link.txt", "x" * 300])
def test_no_refusal_shows_where_the_root_is(ws: Path, path: str) -> None:
    (ws / "link.txt").symlink_to("../ws-secret/key.txt")
    with pytest.raises(ToolError) as refused:
        file_read(ws, path)
    assert str(ws) not in str(refused.value)
    assert "ws-secret" not in str(refused.value)


# --- web_fetch ----------------------------------------------------------------------------------------------------


def test_a_kept_page_is_returned() -> None:
    assert web_fetch("https://course.example/budgets").startswith("Look at a budget before")


@pytest.mark.parametrize(
    "url", ["https://course.example", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", ""]
)
def test_any_other_address_is_refused_with_those_that_there_are(url: str) -> None:
    with pytest.raises(ToolError) as refused:
        web_fetch(url)
    assert str(refused.value) == f"web_fetch: no page {url!r} offline (have: {', '.join(sorted(PAGES))})"


def test_no_fetch_opens_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket", None)
    assert web_fetch("https://course.example/") == PAGES["https://course.example/"]


# --- the five as tools --------------------------------------------------------------------------------------------


def test_the_toolbox_holds_five_tools_that_may_all_be_run_twice(ws: Path) -> None:
    tools = toolbox(ws)
    assert tools.names() == ["calculator", "convert_currency", "file_read", "list_documents", "web_fetch"]
    assert all(tools.get(name).idempotent for name in tools)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("calculator", {"expression": "17*23"}, 391),
        ("convert_currency", {"amount": 100, "source": "USD", "target": "EUR"}, "100 USD = 92.00 EUR"),
        ("file_read", {"path": "a.txt"}, "inside"),
        ("list_documents", {"tag": "retrieval"}, ["rag-basics"]),
        ("web_fetch", {"url": "https://course.example/"}, PAGES["https://course.example/"]),
    ],
)
def test_each_tool_can_be_called_through_the_registry(ws: Path, name: str, args: Any, result: Any) -> None:
    assert call_tool(toolbox(ws), name, args) == result


@pytest.mark.parametrize(
    ("name", "args", "problem"),
    [
        ("calculator", {"expression": 3}, "$.calculator.expression: expected type string, got int"),
        (
            "convert_currency",
            {"amount": 1, "source": "USD", "target": "XXX"},
            "$.convert_currency.target: expected one of",
        ),
        (
            "convert_currency",
            {"amount": 10**15, "source": "USD", "target": "USD"},
            "$.convert_currency.amount: expected les",
        ),
        ("file_read", {"path": "a.txt", "root": "/"}, "$.file_read.root: unknown key (have: path)"),
        ("list_documents", {"tag": 3}, "$.list_documents.tag: expected type string or null, got int"),
        ("web_fetch", {}, "$.web_fetch.url: required, but missing"),
    ],
)
def test_each_tools_schema_is_applied_before_the_call(ws: Path, name: str, args: Any, problem: str) -> None:
    with pytest.raises(InvalidArgumentsError) as refused:
        call_tool(toolbox(ws), name, args)
    assert str(refused.value).startswith(f"invalid arguments: {problem}")


def test_a_null_tag_lists_every_document(ws: Path) -> None:
    assert call_tool(toolbox(ws), "list_documents", {"tag": None}) == call_tool(toolbox(ws), "list_documents", {})


def test_two_toolboxes_show_a_model_the_same_manifest_and_never_the_root(ws: Path, tmp_path: Path) -> None:
    shown = json.dumps(toolbox(ws).manifest())
    assert shown == json.dumps(toolbox(tmp_path).manifest())
    assert str(ws) not in shown
