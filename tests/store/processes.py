"""Python in processes of its own, for what only a second process or a killed one can show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(REPOSITORY / "src"), str(REPOSITORY)])}
WAIT_S = 60


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a script; what it prints can be read from `stdout`."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)


def printed(script: str, *arguments: object) -> str:
    """Run a script to its end, which has to be a good one; what it printed."""
    started = start(script, *arguments)
    out, _ = started.communicate(timeout=WAIT_S)
    assert started.returncode == 0
    return out
