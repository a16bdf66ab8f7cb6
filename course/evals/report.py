"""What an eval reports: a summary for programs, and a page for people on which each number says what it divides by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from course.evals.harness import Result
from course.evals.metrics import Metric, measure


@dataclass(frozen=True)
class Summary:
    """One eval. agent: `scripted` or the model's name. date: ISO, None for scripted runs, which depend on no day.

    planned: runs that were to be made. results: those that were; fewer when a cap or Ctrl+C ended the eval.
    """

    agent: str
    results: Sequence[Result]
    planned: int
    repetitions: int = 1
    date: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def metrics(self) -> list[Metric]:
        return measure(self.results)


def by_name(summary: Summary) -> dict[str, Any]:
    """The metrics by name, JSON values only: `value` is null where nothing was measured."""
    return {
        metric.name: {
            "value": _plain(metric.value),
            "numerator": _plain(metric.numerator),
            "denominator": metric.denominator,
            "of": metric.of,
        }
        for metric in summary.metrics
    }


def to_json(summary: Summary) -> dict[str, Any]:
    """What `summary.json` holds."""
    return {
        "agent": summary.agent,
        "date": summary.date,
        "repetitions": summary.repetitions,
        "settings": dict(summary.settings),
        "runs": len(summary.results),
        "runs_planned": summary.planned,
        "metrics": by_name(summary),
        "results": [_result(result) for result in summary.results],
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "id": result.case.id,
        "kind": result.case.kind,
        "repetition": result.repetition + 1,
        "passed": result.passed,
        "status": result.run.status,
        "steps": result.run.steps_used,
        "mean_score": result.run.mean_score,
        "cost": _plain(result.cost),
        "failures": result.failures,
    }


def to_markdown(*summaries: Summary) -> str:
    """The page: what was run, the metrics side by side, and the cases. The first summary is the one in question."""
    first = summaries[0]
    parts = [f"# Eval: {first.agent}", *map(_description, summaries), _metrics_table(summaries), "## Cases"]
    parts += [_case_table(summary, len(summaries) > 1) for summary in summaries]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def metrics_text(summary: Summary) -> str:
    """The metrics for a terminal, one a line."""
    lines = [f"{metric.name:28} {metric!s:>14}   {_counted(metric)}" for metric in summary.metrics]
    return "\n".join(lines)


def _description(summary: Summary) -> str:
    cases = len({result.case.id for result in summary.results})
    made = f"{len(summary.results)} runs of {cases} cases"
    if len(summary.results) < summary.planned:
        made += f", where {summary.planned} runs were planned: the eval was ended early"
    date = f", {summary.date}" if summary.date else ", which depends on no day and no network"
    settings = ", ".join(f"{name} {value}" for name, value in summary.settings.items()) or "none"
    return (
        f"**{summary.agent}**{date}: {made}, {summary.repetitions} of each case; every run counts, none is picked. "
        f"Settings: {settings}."
    )


def _metrics_table(summaries: Sequence[Summary]) -> str:
    head = ["metric"]
    for summary in summaries:
        head += [_cell(summary.agent), "counted"]
    rows = [head, ["---"] * len(head)]
    for metrics in zip(*(summary.metrics for summary in summaries), strict=True):
        row = [metrics[0].name]
        for metric in metrics:
            row += [str(metric), _counted(metric)]
        rows.append(row)
    return _table(rows)


def _counted(metric: Metric) -> str:
    if metric.unit == "USD":
        return f"{metric.denominator} {metric.of}"
    numerator = f"{metric.numerator:.2f}" if isinstance(metric.numerator, float) else str(metric.numerator)
    return f"{numerator} / {metric.denominator} {metric.of}"


def _case_table(summary: Summary, named: bool) -> str:
    rows = [["case", "passed", "ended as", "steps", "what did not hold"], ["---"] * 5]
    by_case: dict[str, list[Result]] = {}
    for result in summary.results:
        by_case.setdefault(result.case.id, []).append(result)
    for name, results in by_case.items():
        passed = f"{sum(result.passed for result in results)} of {len(results)}"
        ends = ", ".join(dict.fromkeys(str(result.run.status) for result in results))
        steps = ", ".join(str(result.run.steps_used) for result in results)
        problems = "; ".join(dict.fromkeys(failure for result in results for failure in result.failures))
        rows.append([name, passed, ends, steps, _cell(problems)])
    return (f"### {summary.agent}\n\n" if named else "") + _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(text: str) -> str:
    """Text from a model inside a table: no pipe, no line break, no markup of its own."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'").replace("\n", " ")


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value
