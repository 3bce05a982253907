"""What every test may ask for, and what becomes of a test whose machine lacks something.

A test names what it needs through a fixture: `cases` for an optional folder of real-world input files, `require_tool`
for a program. Where it is absent the test is skipped and the end of the run says what was absent and how many tests
wanted it. With STORYWORLD_TEST_REQUIRE=all, which the continuous integration sets, a skip is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings
from pytest import skip  # noqa: PT013 - the two fixtures below are the only ones that may

REPOSITORY = Path(__file__).resolve().parent.parent
# Servers of the tests are on this machine, whatever proxy reaches others.
for _name in ("NO_PROXY", "no_proxy"):
    os.environ[_name] = ",".join(filter(None, (os.environ.get(_name), "127.0.0.1", "localhost")))
# Two tests at once on a slow machine must not fail for being slow: time is bounded by pytest-timeout.
settings.register_profile("storyworld", deadline=None, derandomize=True)
settings.load_profile("storyworld")


def everything_is_required() -> bool:
    """Whether a test that cannot run here is a failure."""
    return os.environ.get("STORYWORLD_TEST_REQUIRE", "") == "all"


@pytest.fixture(scope="session")
def cases() -> Callable[[str], Path]:
    """Find one folder of real-world input files: `cases("json")`.

    They are looked for in `$STORYWORLD_CASES`, else in `shared/cases` beside the repository. They belong to others and
    are not part of it, so a test that wants them is skipped, by name, where they are absent.
    """
    root = Path(os.environ.get("STORYWORLD_CASES") or REPOSITORY.parent / "shared" / "cases")

    def find(folder: str) -> Path:
        found = root / folder
        if not found.is_dir():
            skip(f"the input files of `{folder}` are absent; STORYWORLD_CASES names their folder")
        return found

    return find


@pytest.fixture(scope="session")
def require_tool() -> Callable[[str], str]:
    """Find a program: `require_tool("strace")` gives its path, or skips the test by the program's name."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            skip(f"the program `{name}` is not installed")
        return path

    return find


def _reason(longrepr: object) -> str:
    """The reason of a skip, from the (file, line, reason) that pytest keeps."""
    text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
    return str(text).removeprefix("Skipped: ")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where everything is required."""
    report = yield
    if report.skipped and everything_is_required():
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} may not be skipped here: {_reason(report.longrepr)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole module into an error where everything is required."""
    report = yield
    if report.skipped and everything_is_required():
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} may not be skipped here: {_reason(report.longrepr)}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    """Name what this machine lacks, and how many tests wanted it."""
    absent = Counter(_reason(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if absent:
        terminalreporter.section("not tested on this machine")
    for reason, count in sorted(absent.items()):
        terminalreporter.write_line(f"{count} test(s): {reason}")
