"""docs/benchmarks.md, made from results.json and from nothing else."""

from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results.json"
DOCUMENT = ROOT / "docs" / "benchmarks.md"
Results = dict[str, Any]

ARMS = {
    "ours_full": "ours, every layer of isolation",
    "ours_partial": "ours, Landlock, seccomp and limits, without namespaces",
    "ours_none": "ours, resource limits alone",
    "floor": "the floor: the same cells and checks in a warm fork with nothing around it",
    "nbgrader": "`nbgrader autograde`, 20 submissions in one command",
    "otter_run": "`otter run`, one command a submission",
}
_RATIOS = {
    "ours_full/floor": ("full isolation against the floor", "at most 1.5"),
    "nbgrader/ours_full": ("nbgrader against full isolation", "at least 60"),
    "otter_run/ours_full": ("`otter run` against full isolation", "at least 150"),
}

_RECORDS = {
    "a tool record": "1,000,000 of a loop's, some 200 bytes each",
    "a verdict, 1 kB": "100,000 of a gradebook's, some 1 kB each",
}


def page(results: Results) -> str:
    """The whole document, as Markdown."""
    machine, versions = results["machine"], results["versions"]
    rows = [f"| {text} | {_number(results['arms'][name], ' ms')} |" for name, text in ARMS.items()]
    ratios = [f"| {text} | {_number(results['ratios'][name])} | {goal} |" for name, (text, goal) in _RATIOS.items()]
    parts = [
        "# How fast it grades",
        "Made by `make bench` from `bench/results.json`; what each arm does stands in `bench/README.md`.",
        f"Measured on {results['date']}: {machine['cores']} cores ({machine['processor']}), "
        f"{machine['memory_gib']} GiB, {machine['system']}; "
        + ", ".join(f"{name} {number}" for name, number in versions.items())
        + ".",
        "Three trivial exercises, six claims, a right submission; the time of one submission, after start-up for ours "
        "and the floor:",
        "\n".join(["| grader | time |", "|---|---|", *rows]),
        "\n".join(["| ratio | measured | goal |", "|---|---|---|", *ratios]),
        "Session 5 and a whole class of it, full isolation:",
        "\n".join(
            [
                "| | measured | goal |",
                "|---|---|---|",
                f"| one right submission of session 5 | {_number(results['session5_ms'], ' ms')} | at most 60 ms |",
                f"| 500 submissions, the whole command | {_number(results['class500_s'], ' s')} | under 60 s |",
                f"| that is, a submission of the class on these cores | {_number(_each(results), ' ms')} | |",
                f"| peak memory of all its processes meanwhile | {_number(results['peak_mib_500'], ' MiB')} | |",
            ]
        ),
        "Verifying a hash-chained transcript, against parsing and hashing its lines and nothing else:",
        "\n".join(["| records | measured | goal |", "|---|---|---|", *_verify_rows(results["verify_ratios"] or {})]),
        "The arms take turns, and a number is the median of all turns of five rounds or more: a busy machine disturbs "
        "neighbours alike, so ratios hold better than times. – stands for what could not be measured.",
    ]
    return "\n\n".join(parts) + "\n"


def _each(results: Results) -> float | None:
    return None if results["class500_s"] is None else 1000 * results["class500_s"] / 500


def _verify_rows(ratios: dict[str, float]) -> list[str]:
    return [f"| {text} | {_number(ratios.get(name), ' times')} | at most 1.5 |" for name, text in _RECORDS.items()]


def _number(value: float | None, unit: str = "") -> str:
    if value is None:
        return "–"
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}{unit}"
