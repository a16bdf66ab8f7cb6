"""What tests in several folders need."""

import pytest

from grader.sandbox.walls import missing_layers


@pytest.hookimpl(tryfirst=True)  # before the fixtures that start a slot
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test marked `sandbox` is skipped on a machine that lacks a layer, and says which."""
    if item.get_closest_marker("sandbox") and missing_layers():
        pytest.skip(f"this machine lacks {', '.join(missing_layers())}")
