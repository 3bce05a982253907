"""What the README files show of the server works as it is shown, on a server that `storyworld serve` has started."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.house.sources import REPOSITORY
from tests.serving.process import environment, new_key, serving


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_story_of_the_readme_is_played_to_its_end_by_its_commands(
    tmp_path: Path, name: str, require_tool: Callable[[str], str]
) -> None:
    require_tool("curl")
    text = (REPOSITORY / name).read_text("utf-8")
    (package,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    (script,) = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    (tmp_path / "loaf.json").write_text(package, "utf-8")
    _, _, commands = script.partition("\n")
    with serving(tmp_path / "data") as server:
        environ = environment(SW=f"{server.url}/v1", KEY=new_key(server.data, project="mine"))
        told = ["bash", "-euo", "pipefail", "-c", commands]
        done = subprocess.run(told, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False, timeout=90)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("event: beat.started\n")
    assert '"ok":true' in done.stdout
    assert json.loads((tmp_path / "beat.json").read_text("utf-8"))["ending"] is not None
    assert "Title" in (tmp_path / "loaf.fountain").read_text("utf-8")
