"""What becomes of a command whose output cannot be written, or whose streams were closed before it began."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.application.playhouse import package_bytes
from tests.cli.processes import WAIT_S, environment

STORAGE = 3


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `$STORYWORLD …` in a shell, which can close streams."""
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        env=environment(STORYWORLD=f"{sys.executable} -m storyworld"),
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ferry.json").write_bytes(package_bytes())
    return tmp_path


@pytest.mark.parametrize("arguments", ["--help", "limits", "check ferry.json", "play ferry.json --json"])
def test_a_full_disk_under_the_output_is_told_in_a_line(folder: Path, arguments: str) -> None:
    done = shell(f"$STORYWORLD {arguments} >/dev/full", folder)
    assert (done.returncode, done.stderr) == (STORAGE, "the output: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_stops_no_story(folder: Path, closed: str) -> None:
    done = shell(f"$STORYWORLD play ferry.json --beats 1 {closed}", folder)
    assert (done.returncode, done.stderr) == (0, "")
    done = shell("$STORYWORLD verify --all", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "all 2 beats hold" in done.stdout


def test_a_closed_input_is_an_empty_one(folder: Path) -> None:
    done = shell("$STORYWORLD check - <&-", folder)
    assert done.returncode == 1
    assert done.stdout.startswith("json_syntax  ")
