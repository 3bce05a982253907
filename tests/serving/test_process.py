from __future__ import annotations

import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from storyworld.client import ApiError, Client, ConnectionFailed, Retries, api
from storyworld.stories import read_story
from tests.client.test_whole_story import cast_world
from tests.serving.process import ServerProcess, command, new_key, serving

ONCE = Retries(most=0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def server(data: Path) -> Iterator[ServerProcess]:
    with serving(data) as running:
        yield running


def begun(client: Client) -> str:
    world_id = cast_world(client, json.loads(read_story("borrowed-voice")))
    return client.send(api.start_session(world_id, seed=1))["id"]


def test_a_server_makes_its_folder_says_where_it_is_and_how_to_get_a_key(server: ServerProcess) -> None:
    assert httpx2.get(f"{server.url}/healthz").json() == {"status": "ok"}
    key = new_key(server.data, project="新戏")
    assert httpx2.get(f"{server.url}/v1/agents", headers={"Authorization": f"Bearer {key}"}).status_code == 200
    assert server.stop() == 0


def test_one_process_serves_a_folder_and_a_killed_one_leaves_it_free(server: ServerProcess) -> None:
    second = command("serve", "--port", "0", "--data", str(server.data), folder=server.data.parent)
    assert second.returncode == 3
    assert "served by another process" in second.stderr
    server.kill()
    with serving(server.data) as again:
        assert httpx2.get(f"{again.url}/readyz").status_code == 200


def test_a_port_that_is_taken_is_told_in_a_line(data: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = command("serve", "--port", str(port), "--data", str(data), folder=data.parent)
    assert done.returncode == 2
    assert f"127.0.0.1:{port} cannot be listened at" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "environ", "written", "told"),
    [
        (["--port", "none"], {}, "", "--port: it must be a whole number from 0 to 65535"),
        ([], {"STORYWORLD_PORT": "70000"}, "", "STORYWORLD_PORT: it must be a whole number from 0 to 65535"),
        ([], {"STORYWORLD_LOG_LEVEL": "loud"}, "", "STORYWORLD_LOG_LEVEL: it must be one of debug, info"),
        ([], {}, "heartbeat_seconds = 99", "storyworld.toml: heartbeat_seconds is int; it must be a whole number"),
        ([], {}, "prot = 1", "storyworld.toml: prot: there is no such setting"),
        ([], {}, "port = ", "storyworld.toml:"),
    ],
)
def test_a_setting_that_cannot_be_taken_is_named(
    data: Path, options: list[str], environ: dict[str, str], written: str, told: str
) -> None:
    if written:
        (data.parent / "storyworld.toml").write_text(written)
    done = command("serve", *options, "--data", str(data), folder=data.parent, **environ)
    assert done.returncode == 2
    assert told in done.stderr


def test_a_flag_goes_before_the_environment_and_that_before_the_file(data: Path) -> None:
    (data.parent / "storyworld.toml").write_text('log_format = "text"\nhost = "nowhere.invalid"\noperator_key = "o"\n')
    with serving(data, "--host", "127.0.0.1", STORYWORLD_LOG_FORMAT="json") as running:
        listed = httpx2.get(f"{running.url}/v1/projects", headers={"Authorization": "Bearer o"})
        assert listed.status_code == 200
        running.stop()
        assert all(json.loads(line) for line in running.log().splitlines())


def test_a_folder_that_cannot_be_used_ends_the_server_with_a_line(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    done = command("serve", "--port", "0", "--data", str(place), folder=tmp_path)
    assert done.returncode == 3
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_signal_ends_the_streams_and_lets_go_of_nothing_that_was_acknowledged(server: ServerProcess) -> None:
    key = new_key(server.data)
    acknowledged: list[int] = []
    with Client(server.url, key, retries=ONCE) as client:
        session_id = begun(client)

        def play() -> None:
            try:
                while True:
                    acknowledged.append(client.send(api.take_turn(session_id, {"kind": "advance"}))["beat"])
            except (ApiError, ConnectionFailed):
                pass

        playing = threading.Thread(target=play)
        playing.start()
        following = httpx2.stream(
            "GET", f"{server.url}/v1/sessions/{session_id}/stream", headers={"Authorization": f"Bearer {key}"}
        )
        with following as stream:
            for _ in stream.iter_bytes():
                if len(acknowledged) > 3:
                    server.signal(signal.SIGTERM)
        playing.join(30)
    assert server.end() == 0
    with serving(server.data) as again, Client(again.url, key) as client:
        assert client.send(api.session(session_id))["beat"] >= acknowledged[-1]
        assert client.send(api.verify(session_id))["ok"] is True


def test_a_killed_server_has_lost_no_acknowledged_beat_and_a_retry_gets_the_one_answer(server: ServerProcess) -> None:
    key = new_key(server.data)
    with Client(server.url, key, retries=ONCE) as client:
        session_id = begun(client)
        first = client.send(api.take_turn(session_id, {"kind": "advance"}, key="once"))
    server.kill()
    with serving(server.data) as again, Client(again.url, key) as client:
        assert client.send(api.take_turn(session_id, {"kind": "advance"}, key="once")) == first
        assert client.send(api.session(session_id))["beat"] == 1


def test_the_log_names_operations_and_holds_nothing_that_was_sent(server: ServerProcess) -> None:
    key = new_key(server.data)
    with Client(server.url, key) as client:
        session_id = begun(client)
        client.send(api.take_turn(session_id, {"kind": "message", "text": "只有你我知道"}))
        with pytest.raises(ApiError):
            client.send(api.agent("agt_private-name"))
    httpx2.get(f"{server.url}/private-path?private=query")
    assert server.stop() == 0
    log = server.log()
    entries: list[dict[str, Any]] = [json.loads(line) for line in log.splitlines()]
    assert {"takeTurn", "getAgent"} <= {entry.get("operation") for entry in entries}
    assert any(entry.get("code") == "agent_not_found" for entry in entries)
    for secret in (key, key.rpartition(".")[2], "只有你我知道", "private", "Authorization"):
        assert secret not in log


def test_figures_tell_of_requests_beats_and_calls(server: ServerProcess) -> None:
    with Client(server.url, new_key(server.data)) as client:
        session_id = begun(client)
        beat = client.send(api.take_turn(session_id, {"kind": "advance"}))
    told = httpx2.get(f"{server.url}/metrics").text
    assert 'storyworld_requests_total{operation="takeTurn",status="201"} 1.0' in told
    assert "storyworld_beats_total 1.0" in told
    calls = f'storyworld_model_calls_total{{outcome="answered",provider="rehearsal"}} {len(beat["usage"])}.0'
    assert calls in told
    assert "storyworld_beats_running 0.0" in told


def test_a_reader_of_a_stream_leaves_nothing_behind(server: ServerProcess) -> None:
    key = new_key(server.data)
    with Client(server.url, key) as client:
        session_id = begun(client)
        headers = {"Authorization": f"Bearer {key}"}
        for _ in range(5):
            with httpx2.stream("GET", f"{server.url}/v1/sessions/{session_id}/stream", headers=headers) as stream:
                next(stream.iter_bytes())
        deadline = time.monotonic() + 30
        while "storyworld_streams_open 0.0" not in httpx2.get(f"{server.url}/metrics").text:
            assert time.monotonic() < deadline, "the streams of those who left stay open"
            client.send(api.take_turn(session_id, {"kind": "advance"}))
