"""A test that cannot run here is named, and fails where everything is required."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import REPOSITORY

WANTING = """
def test_wants_a_folder(cases):
    cases("no-such-folder")

def test_wants_a_program(require_tool):
    require_tool("no-such-program")

def test_wants_what_there_is(require_tool, cases):
    assert require_tool("sh").endswith("/sh")
    assert (cases("plays") / "hamlet.txt").is_file()
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder of tests that want things, with the conftest of the project and one folder of input files."""
    (tmp_path / "tests").mkdir()
    shutil.copy(REPOSITORY / "tests" / "conftest.py", tmp_path / "tests")
    (tmp_path / "tests" / "test_wanting.py").write_text(WANTING, "utf-8")
    (tmp_path / "files" / "plays").mkdir(parents=True)
    (tmp_path / "files" / "plays" / "hamlet.txt").touch()
    return tmp_path


def outcome(folder: Path, require: str) -> tuple[int, str]:
    """Run the tests of a folder by themselves: the exit code, and what was printed."""
    environment = os.environ | {"STORYWORLD_CASES": str(folder / "files"), "STORYWORLD_TEST_REQUIRE": require}
    command = [sys.executable, "-m", "pytest", "-q", "--disable-plugin-autoload", "-c", os.devnull, "--rootdir", "."]
    done = subprocess.run(
        [*command, "tests"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout


def test_what_a_machine_lacks_is_named_at_the_end(run: Path) -> None:
    code, printed = outcome(run, "")
    assert code == 0
    assert "1 test(s): the input files of `no-such-folder` are absent" in printed
    assert "1 test(s): the program `no-such-program` is not installed" in printed
    assert "1 passed, 2 skipped" in printed


def test_where_everything_is_required_a_skip_is_a_failure(run: Path) -> None:
    code, printed = outcome(run, "all")
    assert code == 1
    assert "may not be skipped here: the program `no-such-program` is not installed" in printed
    assert "2 failed, 1 passed" in printed
