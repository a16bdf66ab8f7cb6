"""`grader.authoring.source` and `answers`: what is read from a session's source and from the answers beside it."""

import inspect
import pickle
from pathlib import Path

import pytest

from grader.authoring.answers import odd_answers, wrong_answers
from grader.authoring.source import SourceError, cells_before, namespace_before, read_session, sources, student_cell

SESSION = '''\
# %% [markdown]
# # 5 · A small session
#
# Some prose.

# %%
from grader import check, compare, hint, solution

# %% tags=["given"]
import dataclasses

@dataclasses.dataclass
class Point:
    x: int

print("printed by a given cell")

# %% tags=["answer"] exercise="ch05-e1"
def run_loop(plan, tools, budget):
    """Work off `plan`."""
    ### BEGIN SOLUTION
    return "solved"
    ### END SOLUTION

# %% tags=["demo"] exercise="ch05-e1"
demo_ran = True
compare(lambda: run_loop([], {}, 1), "solved")

# %% tags=["check"] exercise="ch05-e1"
check("ch05-e1", run_loop)

# %% tags=["answer"] exercise="ch05-e3"
LIMIT = 3
def render_trace(run):
    for step in run:
        ### BEGIN SOLUTION: one line a "step"
        yield step
        ### END SOLUTION
    ### BEGIN SOLUTION

    yield LIMIT
    ### END SOLUTION
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "ch05.py"
    file.write_text(SESSION, encoding="utf-8", newline="\n")
    return file


def refused(path: Path, old: str, new: str) -> str:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")
    with pytest.raises(SourceError) as error:
        read_session(path)
    return str(error.value)


def test_a_source_is_read_into_cells_with_tags_and_exercises(path: Path) -> None:
    source = read_session(path)
    assert (source.session_id, source.title) == ("ch05", "A small session")
    assert source.exercise_ids == ["ch05-e1", "ch05-e3"]
    assert [(cell.number, cell.kind, cell.tags, cell.exercise) for cell in source.cells] == [
        (1, "markdown", (), ""),
        (2, "code", (), ""),
        (3, "code", ("given",), ""),
        (4, "code", ("answer",), "ch05-e1"),
        (5, "code", ("demo",), "ch05-e1"),
        (6, "code", ("check",), "ch05-e1"),
        (7, "code", ("answer",), "ch05-e3"),
    ]
    assert [cell.number for cell in source.of("ch05-e1", "demo")] == [5]


def test_sources_are_found_in_the_order_of_the_course_and_other_files_are_not(path: Path) -> None:
    for name in ("ch12.py", "ch02.py"):
        (path.parent / name).write_text("# %% [markdown]\n# # 2 · Other\n", encoding="utf-8")
    (path.parent / "helper.py").write_text("", encoding="utf-8")
    assert [source.session_id for source in sources(path.parent)] == ["ch02", "ch05", "ch12"]


def test_a_stub_names_the_exercise_at_the_indentation_of_its_region(path: Path) -> None:
    answer = read_session(path).of("ch05-e1", "answer")[0]
    assert student_cell(answer, "Three ways to end") == (
        'def run_loop(plan, tools, budget):\n    """Work off `plan`."""\n'
        '    raise NotImplementedError("ch05-e1: Three ways to end")'
    )
    assert answer.solved.endswith('    return "solved"')
    assert "###" not in answer.solved


def test_each_region_of_a_cell_becomes_a_stub_and_may_say_a_line_of_its_own(path: Path) -> None:
    answer = read_session(path).of("ch05-e3", "answer")[0]
    assert student_cell(answer, "The trace").splitlines() == [
        "LIMIT = 3",
        "def render_trace(run):",
        "    for step in run:",
        "        raise NotImplementedError(\"ch05-e3: one line a 'step'\")",
        '    raise NotImplementedError("ch05-e3: The trace")',
    ]


def test_before_an_exercise_stand_the_given_cells_and_the_earlier_solutions_alone(path: Path) -> None:
    source = read_session(path)
    assert [cell.number for cell in cells_before(source, "ch05-e3")] == [2, 3, 4]
    namespace = namespace_before(source, "ch05-e3")
    assert namespace["run_loop"]([], {}, 1) == "solved"
    assert "demo_ran" not in namespace
    assert "render_trace" not in namespace


def test_what_a_notebook_imports_from_the_grader_does_nothing_there(path: Path) -> None:
    namespace = namespace_before(read_session(path), "ch05-e3")
    assert [namespace[name]("ch05-e1") for name in ("check", "compare", "hint", "solution")] == [None] * 4


def test_the_namespace_is_a_module_that_pickle_and_inspect_know(path: Path) -> None:
    source = read_session(path)
    first, second = namespace_before(source, "ch05-e3"), namespace_before(source, "ch05-e3")
    assert first["__name__"] != second["__name__"]
    for namespace in (first, second):
        point = namespace["Point"](3)
        assert pickle.loads(pickle.dumps(point)) == point
        assert inspect.getsource(namespace["run_loop"]).endswith('return "solved"')


def test_what_the_given_cells_print_is_dropped(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    namespace_before(read_session(path), "ch05-e1")
    assert capsys.readouterr().out == ""


def test_an_exercise_that_the_source_does_not_have_is_refused_with_those_that_it_has(path: Path) -> None:
    with pytest.raises(KeyError, match=r"ch05\.py has no answer cell of ch05-e9 \(have: ch05-e1, ch05-e3\)"):
        cells_before(read_session(path), "ch05-e9")


def test_a_file_that_is_no_session_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"session5\.py: a session's source is called chNN\.py"):
        read_session(tmp_path / "session5.py")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('tags=["given"]', 'tags=["givn"]', "cell 3 ('import dataclasses'): unknown tag givn (have: given, answer"),
        (' exercise="ch05-e3"', "", "a cell tagged answer needs exercise=\"ch05-eN\", got ''"),
        ('"demo"] exercise="ch05', '"demo"] exercise="ch06', "got 'ch06-e1'"),
        ('check("ch05-e1"', 'check("ch05-e2"', 'a check cell calls check("ch05-e1", …)'),
        ("    ### END SOLUTION\n\n# %%", "\n# %%", "must come in pairs"),
        ("demo_ran = True", "### BEGIN SOLUTION", "belongs into a cell tagged answer"),
    ],
)
def test_a_source_that_is_not_as_it_must_be_is_refused_with_the_cell(path: Path, old: str, new: str, says: str) -> None:
    message = refused(path, old, new)
    assert message.startswith("ch05.py, cell ")
    assert says in message


def test_an_answer_cell_without_a_region_is_refused(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("    ### BEGIN SOLUTION\n    return", "    return", 1)
    path.write_text(text.replace('    ### END SOLUTION\n\n# %% tags=["demo"]', '\n# %% tags=["demo"]'), "utf-8")
    with pytest.raises(SourceError, match="an answer cell needs a region"):
        read_session(path)


def kept(folder: Path, kind: str, text: str) -> Path:
    file = folder / kind / "ch05-e1" / "one.py"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return folder


def test_a_wrong_answer_says_what_it_does_which_case_rejects_it_and_what_must_be_said(tmp_path: Path) -> None:
    text = '"""Runs one call too many.\n\nrejected by: the budget\nmust say: a stop: that is late\n"""\nx = 1\n'
    (answer,) = wrong_answers("ch05-e1", kept(tmp_path, "wrong", text))
    assert (answer.what, answer.rejected_by) == ("Runs one call too many.", "the budget")
    assert answer.must_say == "a stop: that is late"
    assert wrong_answers("ch05-e2", tmp_path) == []


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        (
            "wrong",
            '"""Wrong.\n\nrejected by: x\n"""',
            "wrong/ch05-e1/one.py: its docstring needs a line `rejected by: …`",
        ),
        ("wrong", "x = 1", "begin it with a docstring that says what is wrong about it"),
        ("odd", "x = 1", "begin it with a docstring that says what is odd about it"),
        ("odd", '"""Odd."""\nx = (', "odd/ch05-e1/one.py, line 2: not Python"),
    ],
)
def test_a_kept_answer_that_does_not_say_what_it_is_is_refused(tmp_path: Path, kind: str, text: str, says: str) -> None:
    read = wrong_answers if kind == "wrong" else odd_answers
    with pytest.raises(SourceError) as error:
        read("ch05-e1", kept(tmp_path, kind, text))
    assert says in str(error.value)
