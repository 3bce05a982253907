"""Help is quick, whole, and ends as it should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from storyworld.cli import COMMANDS, main
from tests.cli.processes import WAIT_S, storyworld

HEAVY = ("sqlalchemy", "alembic", "cel_expr_python", "pysqlite3", "jsonschema_rs", "rich", "asyncio", "storyworld.core")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["-h"]])
def test_help_imports_no_engine(tmp_path: Path, arguments: list[str]) -> None:
    program = (
        "import sys; from storyworld.cli import main; main(sys.argv[1:], standalone_mode=False);"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, timeout=WAIT_S, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "[]\n")


def test_the_help_names_every_command_with_what_it_does(tmp_path: Path) -> None:
    answer = storyworld("--help", folder=tmp_path)
    assert (answer.exit_code, answer.err) == (0, "")
    for name, (_, summary) in COMMANDS.items():
        assert f"  {name}" in answer.out
        assert summary in answer.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_of_its_own(name: str) -> None:
    answer = CliRunner().invoke(main, [name, "--help"], prog_name="storyworld")
    assert answer.exit_code == 0
    assert answer.stdout.startswith(f"Usage: storyworld {name} ")


def test_what_is_no_command_is_a_fault_of_usage(tmp_path: Path) -> None:
    assert storyworld("dance", folder=tmp_path).exit_code == 2
    for arguments in (["play", "--dance"], ["check"], ["check", "a", "b"], ["verify"], ["verify", "a", "--all"]):
        answer = CliRunner().invoke(main, arguments, prog_name="storyworld")
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert answer.stderr.startswith("Usage: storyworld")


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    assert storyworld("--version", folder=tmp_path).out.startswith("storyworld, version ")
