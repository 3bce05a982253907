"""Try the whole HTTP contract with made-up requests: `python tools/contract_cases.py --examples 40`.

A server of its own is started on a new folder. Schemathesis reads its OpenAPI document and makes requests of it, good
and bad ones, alone and in sequences; every answer must be one that the document allows, and none may be a fault of the
server. Exits with 1 where one is not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from storyworld.client import Client, api
from storyworld.stories import read_story

REPOSITORY: Final = Path(__file__).resolve().parents[1]
OPERATOR_KEY: Final = "operator-of-the-contract"


def main() -> int:
    """Start a server, and let Schemathesis at it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=40, help="how many examples are made for each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--phases", default="examples,coverage,fuzzing,stateful")
    told = parser.parse_args()
    sys.path.insert(0, str(REPOSITORY))
    from tests.serving.process import new_key, serving

    environ = {**os.environ, "SCHEMATHESIS_HOOKS": "tools.contract_hooks", "STORYWORLD_OPERATOR_KEY": OPERATOR_KEY}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data", STORYWORLD_OPERATOR_KEY=OPERATOR_KEY) as server,
    ):
        key = new_key(server.data)
        environ["STORYWORLD_CONTRACT_IDS"] = json.dumps(made(server.url, key))
        command = [
            str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(REPOSITORY / "schemathesis.toml"),
            "run", f"{server.url}/openapi.json", "--header", f"Authorization: Bearer {key}",
            "--phases", told.phases, "--max-examples", str(told.examples), "--checks", "all", "--no-color",
            "--continue-on-failure", "--seed", str(told.seed),
        ]  # fmt: skip
        return subprocess.run(command, cwd=REPOSITORY, env=environ, check=False).returncode


def made(url: str, key: str) -> dict[str, str]:
    """One of everything, so that requests can be about something that is there."""
    with Client(url, key) as client:
        content: dict[str, Any] = json.loads(read_story("eleven-tons"))
        package = client.send(api.packages.create(content))
        roles = []
        for role in content["roles"]:
            agent = client.send(api.create_agent(role["name"], "Plays.", {"provider": "rehearsal"}))
            roles.append({"roleId": role["id"], "agentId": agent["id"]})
        world = {"name": "World", "packageId": package["id"], "packageRevision": 1, "roles": roles}
        world_id = client.send(api.worlds.create(world))["id"]
        session = client.send(api.start_session(world_id, seed=1))["id"]
        run = client.send(api.start_episode_run(session, content["series"][0]["id"]))
        client.send(api.take_turn(session, {"kind": "advance"}))
        deliberation = client.send(api.deliberate(session, {"kind": "advance"}))
        return {
            "package": package["id"],
            "world": world_id,
            "session": session,
            "runId": run["episodeRunId"],
            "deliberationId": deliberation["id"],
            "draftId": "b0-2",
            "n": "1",
            "roleId": roles[0]["roleId"],
        }


if __name__ == "__main__":
    sys.exit(main())
