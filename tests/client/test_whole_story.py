from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from storyworld.client import (
    ApiError,
    AsyncClient,
    BeatCommitted,
    BeatDiscarded,
    BeatStarted,
    Client,
    LineCompleted,
    LineDelta,
    api,
)
from storyworld.stories import read_story
from tests.serving.process import ServerProcess, environment, new_key, serving

REHEARSAL = {"provider": "rehearsal"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("served") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def key(server: ServerProcess) -> str:
    return new_key(server.data)


@pytest.fixture
def client(server: ServerProcess, key: str) -> Iterator[Client]:
    with Client(server.url, key) as opened:
        yield opened


def cast_world(client: Client, content: dict[str, Any]) -> str:
    package = client.send(api.packages.create(content))
    roles = [
        {"roleId": role["id"], "agentId": client.send(api.create_agent(role["name"], "Plays.", REHEARSAL))["id"]}
        for role in content["roles"]
    ]
    world = {"name": content["title"], "packageId": package["id"], "packageRevision": 1, "roles": roles}
    return client.send(api.worlds.create({**world, "roles": [{**role, "subscriptions": []} for role in roles]}))["id"]


@pytest.fixture(scope="module")
def world_id(server: ServerProcess, key: str) -> str:
    with Client(server.url, key) as opened:
        return cast_world(opened, json.loads(read_story("borrowed-voice")))


def test_a_story_is_written_cast_played_to_an_ending_forked_verified_and_drafted(client: Client) -> None:
    content = json.loads(read_story("borrowed-voice"))
    drafted = client.send(api.packages.create_draft({"title": content["title"]}))
    assert drafted["draft"]["problems"]
    saved = client.send(api.packages.save_draft(drafted["id"], content, etag=drafted["draft"]["etag"]))
    assert saved["problems"] == []
    assert client.send(api.packages.publish(drafted["id"]))["revision"] == 1
    session = client.send(api.start_session(cast_world(client, content), seed=4))
    role_ids = [role["id"] for role in content["roles"]]
    trigger: dict[str, Any] = {"kind": "advance"}
    number = 0
    while client.send(api.session(session["id"]))["status"] == "active":
        focus = [role_ids[(number * 3 + place) % len(role_ids)] for place in range(3)]
        beat = client.send(api.take_turn(session["id"], {**trigger, "focusRoles": focus}))
        options = beat["branchOptions"]
        trigger = {"kind": "choice", "branchId": options[0]["branchId"]} if options else {"kind": "advance"}
        number += 1
        assert number < 200
    ended = client.send(api.session(session["id"]))
    assert ended["ending"] is not None
    fork = client.send(api.fork_session(session["id"], ended["beat"] // 2))
    assert client.send(api.take_turn(fork["id"], {"kind": "advance"}))["beat"] == ended["beat"] // 2 + 2
    for one in (session["id"], fork["id"]):
        assert client.send(api.verify(one))["ok"] is True
    assert client.send(api.leaks(session["id"]))["leaks"] == []
    draft = client.send(api.draft_script(session["id"]))
    assert draft["elements"][-1]["beat"] == ended["beat"]
    for written_as, begins in (("fountain", b"Title"), ("fdx", b"<?xml"), ("md", b"#"), ("pdf", b"%PDF")):
        file = client.send(api.script_file(session["id"], draft["id"], written_as))  # type: ignore[arg-type]
        assert file.startswith(begins)
    assert [one["id"] for one in client.each(api.sessions(limit=1))]
    assert [one["beat"] for one in client.each(api.beats(session["id"], limit=7))] == list(range(ended["beat"] + 1))


def test_a_turn_is_heard_as_it_is_made(client: Client, world_id: str) -> None:
    session = client.send(api.start_session(world_id, seed=1))
    events = list(client.stream_turn(session["id"], {"kind": "advance"}, key="turn-1"))
    assert isinstance(events[0], BeatStarted)
    assert isinstance(events[-1], BeatCommitted)
    for role_id in events[0].seats:
        heard = "".join(event.text for event in events if isinstance(event, LineDelta) and event.role_id == role_id)
        [said] = [event for event in events if isinstance(event, LineCompleted) and event.role_id == role_id]
        assert heard == said.text
    [again] = list(client.stream_turn(session["id"], {"kind": "advance"}, key="turn-1"))
    assert again == events[-1]
    with pytest.raises(ApiError) as refused:
        list(client.stream_turn(session["id"], {"kind": "message"}))
    assert (refused.value.status, refused.value.code) == (400, "trigger_refused")
    assert refused.value.problems[0]["path"] == "/trigger/text"


def test_the_asynchronous_client_follows_while_another_plays(server: ServerProcess, key: str, world_id: str) -> None:
    async def work() -> None:
        async with AsyncClient(server.url, key) as client:
            session = await client.send(api.start_session(world_id, seed=2))
            followed: list[int] = []

            async def follow() -> None:
                async for beat in client.follow(session["id"], after=0):
                    followed.append(beat["beat"])

            following = asyncio.create_task(follow())
            for _ in range(3):
                await client.send(api.take_turn(session["id"], {"kind": "advance"}))
            async for event in client.stream_turn(session["id"], {"kind": "advance"}):
                assert not isinstance(event, BeatDiscarded)
            await client.send(api.end_session(session["id"]))
            await asyncio.wait_for(following, 30)
            assert followed == [1, 2, 3, 4, 5]
            assert [one async for one in client.follow(session["id"], after=5)] == []
            assert len([one async for one in client.each(api.beats(session["id"], limit=2))]) == 6

    asyncio.run(work())


def test_a_refusal_says_everything_and_no_key(client: Client, key: str) -> None:
    with pytest.raises(ApiError) as refused:
        client.send(api.packages.create({"title": "", "roles": []}))
    assert refused.value.status == 400
    assert {"title", "roles"} <= {one["path"].removeprefix("/") for one in refused.value.problems}
    assert refused.value.request_id.startswith("req_")
    assert key not in str(refused.value) + repr(client)


def test_importing_the_client_brings_nothing_of_the_engine() -> None:
    told = "import sys, storyworld.client; print(*(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, env=environment())
    assert not {"orjson", "sqlalchemy", "starlette", "uvicorn", "cel_expr_python"} & set(done.stdout.split())


@pytest.mark.parametrize(
    "example", sorted((Path(__file__).parents[2] / "examples").glob("*.py")), ids=lambda path: path.name
)
def test_each_example_runs(example: Path, server: ServerProcess, key: str) -> None:
    environ = environment(STORYWORLD_URL=server.url, STORYWORLD_KEY=key)
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False, env=environ)
    assert done.returncode == 0, done.stderr
    assert "verified" in done.stdout
