"""`python -m course run|replay|diff|eval|serve-mcp`: what they print and write, and what their exit codes mean."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from chat_server import Answer, ChatServer, chat_server, completion, usage
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import course
from course import __main__ as cli
from course.stopping import stops_on_ctrl_c
from course.toolbox import toolbox
from course.trace import read, replay

REPOSITORY = Path(course.__file__).resolve().parents[1]
METRICS = [
    "task_completion_rate",
    "expected_outcome_pass_rate",
    "mean_steps_to_completion",
    "mean_verifier_score",
    "verifier_blocked_steps",
    "budget_exhaustion_rate",
    "total_cost",
]
CALL = ("calculator", '{"expression": "17*23"}')


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def course_command(*arguments: str | Path, cwd: Path, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "course", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        **options,
    )


# --- help -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["run", "replay", "diff", "eval", "serve-mcp"])
def test_each_command_explains_itself_and_each_of_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([command, "--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert f"usage: python -m course {command}" in out
    parser_lines = [line for line in out.splitlines() if line.startswith("  -")]
    for number, line in enumerate(out.splitlines()):
        if line in parser_lines:
            following = out.splitlines()[number + 1] if number + 1 < len(out.splitlines()) else ""
            assert len(line.split()) > 3 or following.startswith("     "), f"no help: {line}"


# --- run --------------------------------------------------------------------------------------------------------------


def test_run_shows_each_step_with_its_scores_and_writes_the_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", "--trace", str(tmp_path / "t.jsonl")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "task    What is 17*23? Use the calculator.",
        'step  1 calculator({"expression": "17*23"}) -> 391   [schema 1.00  budget 1.00]',
        'step  2 answer "17*23 is 391."   [schema 1.00  budget 0.88]',
        "completed after 2 steps, mean score 0.97",
        "answer  17*23 is 391.",
    ]
    assert replay(read(tmp_path / "t.jsonl")).ok


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is raised by hand, which Windows does not have")
def test_ctrl_c_does_what_it_did_before_once_a_run_is_over() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stops_on_ctrl_c() as kill:
        signal.raise_signal(signal.SIGINT)
        assert kill.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_run_works_in_a_thread_where_no_signal_can_be_caught(capsys: pytest.CaptureFixture[str]) -> None:
    codes: list[int] = []
    worker = threading.Thread(target=lambda: codes.append(cli.main(["run"])))
    worker.start()
    worker.join()
    assert codes == [0]


def test_run_writes_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        cli.main(["run", "--case", "recovery-missing-file", "--trace", str(tmp_path / name)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_run_exits_1_for_a_run_that_was_not_completed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--case", "adversarial-unknown-tools"]) == 1
    out = capsys.readouterr().out
    assert "failed after 3 steps" in out
    assert " x blocked: no tool named 'shell'" in out


@pytest.mark.parametrize(
    "arguments,said",
    [
        (["--case", "nothing"], "no case 'nothing' (have: adversarial-"),
        (["--live", "m"], "a live model needs a task: --task TEXT"),
        (["--live", "m", "--task", "t", "--max-cost", "much"], "--max-cost: 'much' is no number of US dollars"),
        (["--live", "m", "--task", "t", "--price", "1", "-2"], "a price is a number from 0, got -2.0"),
        (["--trace", "no/such/folder/t.jsonl"], "No such file or directory"),
    ],
)
def test_a_run_that_cannot_begin_exits_2_with_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["run", *arguments]) == 2
    out = capsys.readouterr().out
    assert out.startswith("the run could not begin: ") and said in out and len(out.splitlines()) == 1


def test_a_live_run_uses_the_real_clock_the_root_and_the_options(
    server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "note.txt").write_text("heron", encoding="utf-8")
    server.reply(completion("Look.", ("file_read", '{"path": "note.txt"}')), completion("heron"))
    trace = tmp_path / "t.jsonl"
    arguments = ["--live", "m", "--task", "What is in note.txt?", "--root", str(tmp_path), "--trace", str(trace)]
    options = ["--base-url", server.url, "--price", "0", "0", "--max-steps", "5", "--seed", "7", "--stream"]
    assert cli.main(["run", *arguments, *options]) == 0
    records = read(trace)
    assert records[0]["max_steps"] == 5
    assert records[1]["observation"] == {"ok": True, "content": "heron"}
    assert all(record["ts"] > 1_700_000_000 for record in records)
    assert (server.asked[0]["seed"], server.asked[0]["stream"]) == (7, True)


def test_a_live_run_that_fails_exits_1_with_the_reason(server: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.fail(500)
    assert cli.main(["run", "--live", "m", "--task", "t", "--base-url", server.url, "--price", "0", "0"]) == 1
    assert "the run ended with an error: m at 127.0.0.1: HTTP 500" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent as SIGINT, which Windows does not have")
@pytest.mark.parametrize("presses,code,status,steps", [(1, 1, "killed", 1), (2, 130, "killed", 0)])
def test_ctrl_c_ends_a_run_within_one_model_call_and_a_second_one_at_once(
    server: ChatServer, tmp_path: Path, presses: int, code: int, status: str, steps: int
) -> None:
    asked, release = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        release.wait(30)

    body = json.dumps(completion(None, CALL)).encode()
    server.answers += [Answer(body, wait=wait), Answer(body)]
    trace = tmp_path / "t.jsonl"
    arguments = ["run", "--live", "m", "--task", "t", "--base-url", server.url, "--price", "0", "0", "--trace", trace]
    with course_command(*arguments, cwd=tmp_path) as process:
        assert process.stderr is not None
        assert asked.wait(30)
        said = ""
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            said += process.stderr.readline()
        release.set()
        process.communicate()
    assert "stopping after the call in hand; Ctrl+C again interrupts it" in said
    records = read(trace)
    assert (process.returncode, records[-1]["status"], records[-1]["steps_used"]) == (code, status, steps)
    assert replay(records).ok
    assert len(server.asked) == 1


# --- replay and diff --------------------------------------------------------------------------------------------------


@pytest.fixture
def traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    for name, case in (("a", "arithmetic-product"), ("b", "recovery-argument-type")):
        cli.main(["run", "--case", case, "--trace", str(tmp_path / f"{name}.jsonl")])
    capsys.readouterr()
    return tmp_path


def test_replay_shows_the_run_as_it_was_shown_and_exits_0(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["run"])
    live = capsys.readouterr().out
    assert cli.main(["replay", str(traces / "a.jsonl")]) == 0
    assert capsys.readouterr().out == live


def test_replay_exits_1_for_a_trace_that_was_changed_or_cut(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = traces / "a.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"steps_used": 2', b'"steps_used": 3'))
    assert cli.main(["replay", str(path)]) == 1
    assert "MISMATCH steps_used: run_end says 3, the steps say 2" in capsys.readouterr().out
    path.write_bytes(whole[:-5])
    assert cli.main(["replay", str(path)]) == 1
    out = capsys.readouterr().out
    assert "step  2 answer" in out
    assert "MISMATCH line 4 was cut" in out and "the trace is cut" in out


def test_replay_writes_spans_without_content_unless_it_is_asked(traces: Path) -> None:
    for extra, there in (([], False), (["--content"], True)):
        assert cli.main(["replay", str(traces / "a.jsonl"), "--otel", str(traces / "o.json"), *extra]) == 0
        text = (traces / "o.json").read_text(encoding="utf-8")
        assert json.loads(text)["resourceSpans"]
        assert ("17*23" in text) is there


def test_diff_names_step_and_field_and_exits_1_or_0_for_none(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", str(traces / "a.jsonl"), str(traces / "b.jsonl")]) == 1
    assert capsys.readouterr().out.startswith("the runs part at run_start, task: ")
    assert cli.main(["diff", str(traces / "a.jsonl"), str(traces / "a.jsonl")]) == 0
    assert capsys.readouterr().out == "the two runs do not differ\n"


@pytest.mark.parametrize("command", [["replay", "{0}"], ["diff", "{0}", "{0}"]])
def test_a_file_that_is_not_there_exits_2(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([part.format(tmp_path / "none.jsonl") for part in command]) == 2
    assert "none.jsonl: No such file or directory" in capsys.readouterr().out


# --- eval -------------------------------------------------------------------------------------------------------------


def test_eval_prints_and_writes_the_table_and_exits_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["eval", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[:7]] == METRICS
    assert "25 / 30 all runs" in out and "not measured   0 runs whose cost was measured, of 30" in out
    assert len(list((tmp_path / "traces").iterdir())) == 30
    assert all(replay(read(path)).ok for path in (tmp_path / "traces").iterdir())
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["metrics"]["total_cost"]["value"] is None
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# Eval: scripted\n")


def test_eval_writes_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        cli.main(["eval", "--out", str(tmp_path / name)])
    for path in sorted((tmp_path / "a").rglob("*.*")):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


def test_eval_json_prints_the_metrics_by_name_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["eval", "--json", "--out", str(tmp_path)]) == 0
    metrics = json.loads(capsys.readouterr().out)
    assert list(metrics) == METRICS
    assert metrics["task_completion_rate"] == {"value": 25 / 30, "numerator": 25, "denominator": 30, "of": "all runs"}
    assert metrics["total_cost"]["value"] is None


def test_eval_exits_1_when_a_case_did_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {"id": "a", "kind": "files", "task": "t", "script": [{"answer": "x"}], "checks": [{"status": "killed"}]}
    (tmp_path / "c.jsonl").write_text(json.dumps(case), encoding="utf-8")
    assert cli.main(["eval", "--cases", str(tmp_path / "c.jsonl"), "--out", str(tmp_path)]) == 1
    assert "FAIL a: status: expected killed, the run was completed\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments,said",
    [
        (["--only", "poetry"], "no case has 'poetry' in its id"),
        (["--cases", "none.jsonl"], "No such file or directory"),
        (["--repetitions", "0"], "--repetitions is a number from 1"),
        (["--live", "m", "--base-url", "https://models.example", "--key-env", "NO_SUCH_KEY"], "NO_SUCH_KEY"),
    ],
)
def test_an_eval_that_cannot_be_run_exits_2_with_one_sentence(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["eval", *arguments]) == 2
    out = capsys.readouterr().out
    assert out.startswith("the eval could not be run: ") and said in out


def test_controls_exit_0_when_red_and_green_are_where_they_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["eval", "--controls", "--only", "budget"]) == 0
    out = capsys.readouterr().out
    assert (out.count(" red "), out.count(" green ")) == (5, 2)
    assert cli.main(["eval", "--controls", "--only", "arithmetic"]) == 1  # no trap in these for two of the broken
    assert "WRONG: red was due" in capsys.readouterr().out


def test_a_live_eval_states_model_date_repetitions_and_settings_beside_the_scripted_one(
    server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = [completion(None, CALL, usage=usage(cost=0.01)), completion("391", usage=usage(cost=0.01))]
    server.reply(*good, completion("I guess 391.", usage=usage(cost=0.01)))
    arguments = ["--only", "arithmetic-product", "--repetitions", "2", "--out", str(tmp_path), "--json"]
    assert cli.main(["eval", "--live", "some/model", "--base-url", server.url, "--seed", "7", *arguments]) == 1
    metrics = json.loads(capsys.readouterr().out)
    assert metrics["expected_outcome_pass_rate"]["value"] == 0.5
    assert (metrics["total_cost"]["value"], metrics["total_cost"]["denominator"]) == (0.03, 2)
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert (summary["agent"], summary["repetitions"], len(summary["date"])) == ("some/model", 2, 10)
    assert summary["settings"] == {"server": "127.0.0.1", "cap_usd": 0.5, "seed": 7}
    assert [(one["passed"], one["cost"]) for one in summary["results"]] == [(True, 0.02), (False, 0.01)]
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "| metric | some/model | counted | scripted | counted |" in page
    assert "| arithmetic-product | 1 of 2 |" in page
    assert sorted(path.name for path in (tmp_path / "traces").iterdir()) == [
        "arithmetic-product-1.jsonl",
        "arithmetic-product-2.jsonl",
    ]


def test_a_live_eval_ends_at_its_cap_and_says_how_many_runs_were_made(
    server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply(*[completion("x", usage=usage(cost=0.2))] * 9)
    arguments = ["--only", "arithmetic", "--out", str(tmp_path), "--max-cost", "0.5"]
    assert cli.main(["eval", "--live", "m", "--base-url", server.url, *arguments]) == 1
    assert len(server.asked) == 3
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert (summary["runs"], summary["runs_planned"]) == (3, 7)
    assert "the eval was ended early" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_live_run_whose_call_failed_has_a_cost_that_was_not_measured(
    server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.fail(500)
    arguments = ["--only", "arithmetic-product", "--out", str(tmp_path)]
    assert cli.main(["eval", "--live", "m", "--base-url", server.url, *arguments]) == 1
    out = capsys.readouterr().out
    assert "FAIL arithmetic-product: the agent crashed: LiveError: m at 127.0.0.1: HTTP 500" in out
    assert "not measured   0 runs whose cost was measured, of 1" in out


# --- serve-mcp --------------------------------------------------------------------------------------------------------


def test_serve_mcp_serves_the_registry_to_the_sdks_client(tmp_path: Path) -> None:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "course", "serve-mcp", "--root", str(tmp_path)],
        env={"PYTHONPATH": str(REPOSITORY)},
    )

    async def talk() -> list[str]:
        with anyio.fail_after(60):
            async with Client(parameters) as client:
                return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(talk) == toolbox(tmp_path).names()


def test_serve_mcp_exits_2_for_a_root_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve-mcp", "--root", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err
