"""The trace of a verified run: one JSON line a record, written as it happens; read, replayed and compared afterwards.

| record | keys, in this order |
|---|---|
| `run_start` | `type, task, max_steps, ts` |
| `step` | `type, step, decision, judgments, observation, ts` |
| `run_end` | `type, status, answer, steps_used, mean_score, error, ts` |

`step` counts from 0. `decision` is `{thought, tool_call, answer}`, exactly one of the last two not null; `tool_call`
is `{tool, args}`; a judgment is `{verifier, phase, score, passed, reason}`; `observation` is `{ok, content}`, or null
on an answer and where a call never began. No key is left out when it is null. `ts` is what the run's clock said.

A trace shows what a run recorded. It is not chained: who can write the file can change it (`course.transcript` chains).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, Protocol

from course.jsonable import child, show

Record = dict[str, Any]
Status = Literal["completed", "budget_exhausted", "killed", "failed"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "run_start": ("type", "task", "max_steps", "ts"),
    "step": ("type", "step", "decision", "judgments", "observation", "ts"),
    "run_end": ("type", "status", "answer", "steps_used", "mean_score", "error", "ts"),
}
STATUSES: tuple[Status, ...] = ("completed", "budget_exhausted", "killed", "failed")
_DECISION = ("thought", "tool_call", "answer")
_BINARY = getattr(os, "O_BINARY", 0)  # Windows: a newline stays one byte
_JUDGMENT = ("verifier", "phase", "score", "passed", "reason")


class TraceError(ValueError):
    """A file that is no trace, or a torn one: which line, and what is wrong. `records` holds those before it."""

    def __init__(self, problem: str, records: list[Record]) -> None:
        super().__init__(problem)
        self.records = records


# --- writing ----------------------------------------------------------------------------------------------------------


class Sink(Protocol):
    """Whatever a loop can write its records to."""

    def write(self, record: Record) -> None: ...


class Trace:
    """A trace in memory: `records`, each taken by value, and `to_bytes()`."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def write(self, record: Record) -> None:
        self.records.append(json.loads(_line(record)))

    def to_bytes(self) -> bytes:
        """The bytes that a `TraceWriter` would have written."""
        return b"".join(map(_line, self.records))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The run as a picture, where it is a cell's last line."""
        from course.view import picture_of

        return picture_of(self)


class TraceWriter:
    """A trace on disk. Each record is one write that no buffer holds back: a crash costs the record in hand at most.

    path: made anew; what was there is replaced. Raises OSError as `open` does.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o666), "wb", 0)

    def write(self, record: Record) -> None:
        line = _line(record)
        if self._file.write(line) != len(line):
            raise OSError("the disk took only a part of a trace record")

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Tee:
    """Hands each record to several sinks, in order."""

    def __init__(self, *sinks: Sink) -> None:
        self._sinks = sinks

    def write(self, record: Record) -> None:
        for sink in self._sinks:
            sink.write(record)


def _line(record: Record) -> bytes:
    return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


# --- reading ----------------------------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str]) -> list[Record]:
    """Return the records of a trace file.

    Raises TraceError, with the line and the records before it, for a line that is no JSON in UTF-8, that was cut, or
    whose record has other keys or other kinds of values than a trace has; OSError as `open` does. A file that ends
    after a whole record but before its `run_end` is read: `replay` says that it is cut.
    """
    *lines, rest = Path(path).read_bytes().split(b"\n")
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise TraceError(f"line {number} is no JSON ({type(error).__name__})", records) from None
        if problem := why_no_record(record):
            raise TraceError(f"line {number}: {problem}", records)
        records.append(record)
    if rest:
        raise TraceError(f"line {len(lines) + 1} was cut: no newline ends it, so its record is not whole", records)
    return records


def why_no_record(record: object) -> str | None:
    """Say what keeps a value from being a trace record, or None when it is one."""
    kind = record.get("type") if isinstance(record, dict) else None
    if not isinstance(record, dict) or not isinstance(kind, str) or kind not in KEYS:
        return f"a record is an object whose type is one of {', '.join(KEYS)}"
    if set(record) != set(KEYS[kind]):
        return f"a {kind} record has exactly the keys {', '.join(KEYS[kind])}"
    if type(record["ts"]) not in (int, float):
        return "ts is a number: what the run's clock said"
    if kind == "run_start":
        if not isinstance(record["task"], str):
            return "task is a text"
        return None if _is_count(record["max_steps"]) else "max_steps is a whole number from 0"
    if kind == "run_end":
        return _why_no_end(record)
    return _why_no_step(record)


def _why_no_step(record: Record) -> str | None:
    decision, observation = record["decision"], record["observation"]
    if not _has_keys(decision, _DECISION):
        return f"a decision has exactly the keys {', '.join(_DECISION)}"
    if (decision["tool_call"] is None) == (decision["answer"] is None):
        return "a decision holds exactly one of tool_call and answer"
    if not isinstance(decision["thought"], str) or not _is_text_or_null(decision["answer"]):
        return "thought and answer are texts"
    call = decision["tool_call"]
    if call is not None and not (_has_keys(call, ("tool", "args")) and isinstance(call["tool"], str)):
        return "a tool_call has exactly the keys tool, args, and tool is a text"
    if observation is not None and not (_has_keys(observation, ("ok", "content")) and type(observation["ok"]) is bool):
        return "an observation is null or has exactly the keys ok, content, and ok is true or false"
    if not isinstance(record["judgments"], list) or not all(map(_is_judgment, record["judgments"])):
        return f"judgments are a list of objects with exactly the keys {', '.join(_JUDGMENT)}, their scores from 0 to 1"
    return None if _is_count(record["step"]) else "step is a whole number from 0"


def _why_no_end(record: Record) -> str | None:
    if record["status"] not in STATUSES:
        return f"status is one of {', '.join(STATUSES)}"
    if not _is_text_or_null(record["answer"]) or not _is_text_or_null(record["error"]):
        return "answer and error are each a text or null"
    return None if _is_count(record["steps_used"]) else "steps_used is a whole number from 0"


def _has_keys(value: object, keys: tuple[str, ...]) -> bool:
    return isinstance(value, dict) and set(value) == set(keys)


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_judgment(value: Any) -> bool:
    if not _has_keys(value, _JUDGMENT) or value["phase"] not in ("pre_act", "post_act"):
        return False
    if not isinstance(value["verifier"], str) or not isinstance(value["reason"], str):
        return False
    return type(value["passed"]) is bool and type(value["score"]) in (int, float) and 0 <= value["score"] <= 1


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


# --- what a step says -------------------------------------------------------------------------------------------------


def steps_of(records: Iterable[Record]) -> list[Record]:
    """The step records, in order."""
    return [record for record in records if record["type"] == "step"]


def was_blocked(step: Record) -> bool:
    """Whether a pre-act judgment failed: then nothing was called, and no answer was taken."""
    return any(judgment["phase"] == "pre_act" and not judgment["passed"] for judgment in step["judgments"])


def was_called(step: Record) -> bool:
    """Whether the step's call began: it asked for a tool, was not blocked, and has an observation."""
    return step["decision"]["tool_call"] is not None and not was_blocked(step) and step["observation"] is not None


def mean_score(steps: Iterable[Record]) -> float | None:
    """The mean over all judgments of all steps, each counted once; None where nothing was judged."""
    scores = [judgment["score"] for step in steps for judgment in step["judgments"]]
    return sum(scores) / len(scores) if scores else None


# --- replay -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Replay:
    """A run rebuilt from its records. mismatches: where the records and `run_end` part, or the trace is not whole.

    status, error: as recorded, None where there is no `run_end`. answer, steps_used, mean_score: rebuilt from the
    steps; an answer that was in hand when something else ended the run was never given.
    """

    task: str | None
    steps: list[Record]
    status: Status | None
    answer: str | None
    steps_used: int
    mean_score: float | None
    error: str | None
    mismatches: list[str]

    @property
    def ok(self) -> bool:
        return not self.mismatches


def replay(records: Sequence[Record]) -> Replay:
    """Rebuild a run from its records alone; no tool, model or verifier is called.

    records: as `read` returns them or a `Trace` holds them. Of `run_end` everything is compared that the steps can say:
    the answer, the count, the mean, and whether the status can follow from the last step.
    """
    steps = steps_of(records)
    start = records[0] if records and records[0]["type"] == "run_start" else None
    end = records[-1] if records and records[-1]["type"] == "run_end" else None
    last = steps[-1] if steps else None
    crashed = end is not None and end["error"] is not None
    answer = last["decision"]["answer"] if last and not was_blocked(last) and not crashed else None
    mean = mean_score(steps)
    mismatches = [*_broken_order(records, start, end)]
    if end:
        mismatches += _mismatches(end, answer, len(steps), mean)
        mismatches += _impossible_status(end, last, answer, len(steps), start["max_steps"] if start else None)
    return Replay(
        task=start["task"] if start else None,
        steps=steps,
        status=end["status"] if end else None,
        answer=answer,
        steps_used=len(steps),
        mean_score=mean,
        error=end["error"] if end else None,
        mismatches=mismatches,
    )


def _broken_order(records: Sequence[Record], start: Record | None, end: Record | None) -> Iterator[str]:
    if start is None:
        yield "the first record is no run_start: the beginning is missing"
    if end is None:
        yield "the last record is no run_end: the trace is cut, and how the run ended is not known"
    inner = records[bool(start) : len(records) - bool(end)]
    for index, record in enumerate(inner, int(bool(start))):
        if record["type"] != "step":
            yield f"record {index} is a {record['type']} in the midst of the steps"
    steps = steps_of(records)
    for due, step in enumerate(steps):
        if step["step"] != due:
            yield f"a step says that it is step {step['step']} where step {due} is due"
    for step in steps[:-1]:
        if step["decision"]["answer"] is not None and not was_blocked(step):
            yield f"step {step['step']} is an answer, and yet the run went on"


def _mismatches(end: Record, answer: str | None, steps_used: int, mean: float | None) -> Iterator[str]:
    if end["answer"] != answer:
        yield f"answer: run_end says {show(end['answer'])}, the steps say {show(answer)}"
    if end["steps_used"] != steps_used:
        yield f"steps_used: run_end says {end['steps_used']}, the steps say {steps_used}"
    if not _is_mean(end["mean_score"], mean):
        yield f"mean_score: run_end says {show(end['mean_score'])}, the steps say {show(mean)}"


def _is_mean(recorded: object, mean: float | None) -> bool:
    if mean is None or isinstance(recorded, bool) or not isinstance(recorded, (int, float)):
        return recorded is None and mean is None
    return abs(recorded - mean) < 1e-9  # another order of adding may end in another last digit


def _impossible_status(
    end: Record, last: Record | None, answer: str | None, used: int, limit: int | None
) -> Iterator[str]:
    status = end["status"]
    if limit is not None and used > limit:
        yield f"{used} steps were used, and the budget was {limit}"
    if (status == "completed") != (answer is not None) and end["error"] is None:
        yield f"status: run_end says {status}, and the last step is {'no answer' if answer is None else 'an answer'}"
    if status == "budget_exhausted" and end["error"] is None and used != limit:
        yield f"status: run_end says budget_exhausted after {used} of {limit} steps"
    failing = last is not None and last["observation"] is not None and not last["observation"]["ok"]
    if status == "failed" and end["error"] is None and not failing:
        yield "status: run_end says failed, and the last step did not fail"


# --- comparing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Where two runs part first.

    index: of the record, from 0. where: `run_start`, `step 2` or `run_end`, as the first run has it.
    field: the way to the value inside the record, such as `decision.tool_call.args.expression`; `record` where one run
        has no record at all there. left, right: the two values; None also for what is missing.
    """

    index: int
    where: str
    field: str
    left: Any
    right: Any

    def __str__(self) -> str:
        return f"{self.where}, {self.field}: {show(self.left)} | {show(self.right)}"


def diff(a: Sequence[Record], b: Sequence[Record]) -> Difference | None:
    """Return the first difference between two traces, or None. A timestamp is never one; 1, 1.0 and true differ."""
    for index, (left, right) in enumerate(zip_longest(a, b)):
        where = _name(left if left is not None else right)
        if left is None or right is None:
            return Difference(index, where, "record", left, right)
        if left["type"] != right["type"]:
            return Difference(index, where, "type", left["type"], right["type"])
        for key in KEYS[left["type"]]:
            if key != "ts" and (found := next(_differences(left[key], right[key], key), None)):
                return Difference(index, where, *found)
    return None


def _name(record: Record) -> str:
    return f"step {record['step']}" if record["type"] == "step" else str(record["type"])


def _differences(left: Any, right: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted({*left, *right}):
            if (key in left) != (key in right):
                yield child(path, key), left.get(key), right.get(key)
            else:
                yield from _differences(left[key], right[key], child(path, key))
    elif isinstance(left, list) and isinstance(right, list):
        for index, (one, other) in enumerate(zip(left, right, strict=False)):
            yield from _differences(one, other, f"{path}[{index}]")
        if len(left) != len(right):
            at = min(len(left), len(right))
            yield f"{path}[{at}]", next(iter(left[at:]), None), next(iter(right[at:]), None)
    elif type(left) is not type(right) or left != right:
        yield path, left, right
