"""The workflow that publishes the site: pinned actions, few rights, and the command that everybody runs."""

import re
from pathlib import Path

WORKFLOW = (Path(__file__).resolve().parents[2] / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")


def test_every_action_is_pinned_to_a_commit_and_says_its_version() -> None:
    used = re.findall(r"uses: (.*)", WORKFLOW)
    assert len(used) == 5
    assert [one for one in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", one)] == []


def test_it_builds_with_the_command_of_the_readme_and_publishes_that_folder() -> None:
    assert "- run: make site\n" in WORKFLOW
    assert "path: build/site\n" in WORKFLOW


def test_only_the_job_that_publishes_may_write_and_only_pages() -> None:
    build, _, deploy = WORKFLOW.partition("\n  deploy:\n")
    assert "write" not in build
    assert re.findall(r"(\S+): write", deploy) == ["pages", "id-token"]
