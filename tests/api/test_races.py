"""Many at once, over HTTP on the SQLite store: what must happen once happens once, and a cap is met exactly."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest

from storyworld.application.house import House
from storyworld.application.ports import WorkKind
from storyworld.core import limits
from storyworld.store.sqlite import open_sqlite
from tests.api.asking import Server, serve
from tests.api.test_sessions import ADVANCE, begun
from tests.api.test_works import made_world
from tests.application.playhouse import PROJECT, CountingClock, CountingIdentity, Speaking, content

T = TypeVar("T")
AT_ONCE = 40
BUSY = frozenset({"session_busy", "in_progress", "stale_head"})


def on_disk(data: Path, work: Callable[[Server], Awaitable[T]]) -> T:
    """Do the work against a server on a database of its own."""

    async def opened() -> House:
        store = await open_sqlite(data)
        house = House(store, {"test": Speaking()}, CountingClock(), CountingIdentity())
        await store.create_project(PROJECT, "Salt", house.clock.now())
        return house

    return serve(work, open_house=opened)


async def all_at_once(asks: Iterable[Callable[[], Awaitable[T]]], at_once: int = AT_ONCE) -> list[T]:
    """Everything that is asked, so many at a time, in the order in which it is given."""
    turnstile = asyncio.Semaphore(at_once)

    async def passed(ask: Callable[[], Awaitable[T]]) -> T:
        async with turnstile:
            return await ask()

    return list(await asyncio.gather(*(passed(ask) for ask in asks)))


async def until_answered(server: Server, path: str, body: Any, **more: Any) -> httpx2.Response:
    """Ask until somebody else is not making a beat of the session."""
    while True:
        answer = await server.ask("POST", path, body, **more)
        if answer.status_code != 409 or answer.json()["code"] not in BUSY:
            return answer
        await asyncio.sleep(0.002)


@pytest.mark.timeout(300)
def test_a_thousand_keys_sent_ten_times_at_once_make_a_thousand_beats(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        world = await made_world(server, endings=[], series=[])
        started = [await server.ask("POST", f"/v1/worlds/{world['id']}/sessions") for _ in range(250)]
        paths = [f"/v1/sessions/{one.json()['id']}" for one in started]
        keys = [(f"key-{number}", paths[number % len(paths)]) for number in range(1000)]
        deliveries = [pair for pair in keys for _ in range(10)]

        def turn(key: str, path: str) -> Callable[[], Awaitable[tuple[str, httpx2.Response]]]:
            async def ask() -> tuple[str, httpx2.Response]:
                sent = {"Idempotency-Key": key}
                return key, await until_answered(server, f"{path}/turns", ADVANCE, headers=sent)

            return ask

        answers: dict[str, set[bytes]] = {}
        replayed = 0
        for key, answer in await all_at_once(turn(*pair) for pair in deliveries):
            assert answer.status_code == 201, answer.text
            answers.setdefault(key, set()).add(answer.content)
            replayed += "idempotent-replayed" in answer.headers
        assert Counter(map(len, answers.values())) == {1: 1000}
        assert replayed == 9000
        beats = [(await server.ask("GET", path)).json()["beat"] for path in paths]
        assert sum(beats) == 1000
        for path in paths[:5]:
            assert (await server.ask("POST", f"{path}/replay/verify")).json()["ok"] is True

    on_disk(tmp_path, work)


@pytest.mark.timeout(300)
def test_ten_thousand_deliveries_of_a_thousand_events_have_a_thousand_effects(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        world = await made_world(server, endings=[], series=[])
        started = [await server.ask("POST", f"/v1/worlds/{world['id']}/sessions") for _ in range(200)]
        paths = [f"/v1/sessions/{one.json()['id']}" for one in started]
        deliveries = [(paths[number % len(paths)], f"event-{number}") for number in range(1000)] * 10
        random.Random(4).shuffle(deliveries)

        def delivery(path: str, event_id: str) -> Callable[[], Awaitable[httpx2.Response]]:
            body = {"eventId": event_id, "type": "bell", "wake": False}

            async def ask() -> httpx2.Response:
                return await until_answered(server, f"{path}/events", body)

            return ask

        answers = await all_at_once(delivery(*pair) for pair in deliveries)
        assert Counter(answer.status_code for answer in answers) == {201: 1000, 200: 9000}
        beats = [(await server.ask("GET", path)).json()["beat"] for path in paths]
        assert beats == [5] * 200

    on_disk(tmp_path, work)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", list(WorkKind))
def test_sixty_four_at_once_for_the_last_ten_places_leave_exactly_as_many_as_there_are(
    tmp_path: Path, kind: WorkKind
) -> None:
    most = {
        WorkKind.PACKAGE: limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value,
        WorkKind.WORLD: limits.PROJECT_MAX_ACTIVE_WORLDS.value,
    }[kind]
    path = {WorkKind.PACKAGE: "/v1/story-packages", WorkKind.WORLD: "/v1/worlds"}[kind]

    async def work(server: Server) -> None:
        for number in range(most - 10):
            await server.house.project(PROJECT).create_work(kind, f"made-{number}", "2026-11-30T21:00:00.000Z")
        body = {"content": content()} if kind is WorkKind.PACKAGE else {"draft": {}}
        for _ in range(20):
            answers = await all_at_once([lambda: server.ask("POST", path, body)] * 64, at_once=64)
            made = [answer.json()["id"] for answer in answers if answer.status_code == 201]
            refused = {(answer.status_code, answer.json()["detail"]) for answer in answers if answer.status_code != 201}
            noun = "story packages" if kind is WorkKind.PACKAGE else "worlds"
            assert (len(made), refused) == (10, {(400, f"active {noun} exceeds {most}")})
            for work_id in made:
                await server.ask("POST", f"{path}/{work_id}/archive")

    on_disk(tmp_path, work)


def test_two_turns_at_once_make_one_line_of_beats(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        asks = [lambda: server.ask("POST", f"{one}/turns", ADVANCE)] * 20
        answers = await all_at_once(asks, at_once=20)
        made = [answer.json()["beat"] for answer in answers if answer.status_code == 201]
        refused = {answer.json()["code"] for answer in answers if answer.status_code != 201}
        assert sorted(made) == list(range(1, len(made) + 1))
        assert refused <= {"session_busy", "session_ended"}
        assert (await server.ask("GET", one)).json()["beat"] == len(made)

    on_disk(tmp_path, work)
