from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx2
import pytest

from storyworld.client import BeatCommitted, Client, api
from storyworld.client.events import Frames
from storyworld.stories import read_story
from tests.client.test_whole_story import cast_world
from tests.serving.process import ServerProcess, new_key, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("streams") / "data", STORYWORLD_HEARTBEAT_SECONDS="1") as running:
        yield running


@pytest.fixture(scope="module")
def key(server: ServerProcess) -> str:
    return new_key(server.data)


@pytest.fixture(scope="module")
def world_id(server: ServerProcess, key: str) -> str:
    with Client(server.url, key) as client:
        return cast_world(client, json.loads(read_story("borrowed-voice")))


def played(client: Client, world_id: str, beats: int) -> str:
    session_id = client.send(api.start_session(world_id, seed=1))["id"]
    for _ in range(beats):
        client.send(api.take_turn(session_id, {"kind": "advance"}))
    return session_id


def told(
    server: ServerProcess, key: str, session_id: str, last: str | None, events: int
) -> list[tuple[str, str | None]]:
    """The names and ids of the first events of a stream."""
    headers = {"Authorization": f"Bearer {key}", **({} if last is None else {"Last-Event-ID": last})}
    found: list[tuple[str, str | None]] = []
    frames = Frames()
    with httpx2.stream("GET", f"{server.url}/v1/sessions/{session_id}/stream", headers=headers) as stream:
        for piece in stream.iter_bytes():
            found += [(name, number) for name, number, _ in frames.feed(piece)]
            if len(found) >= events:
                break
    return found


def test_a_stream_goes_on_after_the_beat_that_was_seen_last(server: ServerProcess, key: str, world_id: str) -> None:
    with Client(server.url, key) as client:
        session_id = played(client, world_id, 3)
    committed = [("beat.committed", str(number)) for number in range(4)]
    assert told(server, key, session_id, "1", 2) == committed[2:]
    assert told(server, key, session_id, "0", 3) == committed[1:]


@pytest.mark.parametrize("junk", ["4", "99999999999999999999", "x", "-1", "1.0"])
def test_an_id_that_no_beat_has_is_answered_with_where_the_session_stands(
    server: ServerProcess, key: str, world_id: str, junk: str
) -> None:
    with Client(server.url, key) as client:
        session_id = played(client, world_id, 1)
    assert told(server, key, session_id, junk, 1) == [("resync", "1")]


def test_a_silent_stream_says_that_it_is_still_there(server: ServerProcess, key: str, world_id: str) -> None:
    with Client(server.url, key) as client:
        session_id = played(client, world_id, 0)
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.stream("GET", f"{server.url}/v1/sessions/{session_id}/stream", headers=headers) as stream:
        pieces = stream.iter_bytes()
        assert [next(pieces), next(pieces)] == [b": still here\n\n"] * 2
        assert stream.headers["x-accel-buffering"] == "no"


def test_a_stream_of_a_story_that_is_over_is_not_asked_for_again(
    server: ServerProcess, key: str, world_id: str
) -> None:
    with Client(server.url, key) as client:
        session_id = played(client, world_id, 1)
        client.send(api.end_session(session_id))
        assert [beat["beat"] for beat in client.follow(session_id, after=0)] == [1, 2]
    headers = {"Authorization": f"Bearer {key}", "Last-Event-ID": "2"}
    over = httpx2.get(f"{server.url}/v1/sessions/{session_id}/stream", headers=headers)
    assert (over.status_code, over.content) == (204, b"")


def test_a_key_that_is_revoked_closes_its_streams(server: ServerProcess, key: str, world_id: str) -> None:
    with Client(server.url, key) as client:
        session_id = played(client, world_id, 0)
        reader = client.send(api.create_key("read"))
        headers = {"Authorization": f"Bearer {reader['key']}"}
        with httpx2.stream("GET", f"{server.url}/v1/sessions/{session_id}/stream", headers=headers) as stream:
            pieces = stream.iter_bytes()
            next(pieces)
            client.send(api.revoke_key(reader["id"]))
            # It ends by itself: nobody plays on, and nobody hangs up.
            assert {*pieces} <= {b": still here\n\n"}


def test_a_beat_goes_on_though_whoever_asked_for_it_hangs_up(server: ServerProcess, key: str, world_id: str) -> None:
    with Client(server.url, key) as client:
        session_id = played(client, world_id, 0)
        following: list[int] = []

        def follow() -> None:
            with Client(server.url, key) as other:
                for beat in other.follow(session_id, after=0):
                    following.append(int(beat["beat"]))
                    return

        watching = threading.Thread(target=follow)
        watching.start()
        stream = client.stream_turn(session_id, {"kind": "advance"}, key="left")
        next(iter(stream))
        stream.close()  # type: ignore[attr-defined]
        watching.join(30)
        assert following == [1]
        [again] = list(client.stream_turn(session_id, {"kind": "advance"}, key="left"))
        assert isinstance(again, BeatCommitted)
        assert again.record["beat"] == 1
