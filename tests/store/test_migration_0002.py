"""A database of 0001 with stories in it becomes one of 0002, and says of them what it would have from the start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from storyworld.application.advance import advance, end_session, once, start_episode
from storyworld.application.begin import Begun, fork_session
from storyworld.application.house import House
from storyworld.application.ports import NewDraft, ProjectStore, Store, StoredRun, WorkKind
from storyworld.application.verify import verify_all
from storyworld.core.replay import Verification
from storyworld.store.memory import MemoryStore
from storyworld.store.sqlite import FILE_NAME, open_sqlite
from tests.application.playhouse import PROJECT, begun_session, open_house, request_of, well
from tests.store.older import engine_of, write_0001
from tests.store.processes import WAIT_S, start

T = TypeVar("T")
ADVANCE: dict[str, Any] = {"kind": "advance"}


async def turn(house: House, begun: Begun, *, key: str | None = None) -> None:
    """Make one beat of two seats."""
    well(await advance(house, request_of(begun, answer=once(key, ADVANCE)), ADVANCE))


async def episode(house: House, begun: Begun) -> None:
    """Start a run of the episode, which has a budget of two beats."""
    well(await start_episode(house, request_of(begun), "one"))


async def play(store: MemoryStore) -> None:
    """A session with a run over beats 2 to 4 and another from 5 on; forks from within the first and of the second, and
    one of a fork.
    """
    house = await open_house(store=store)
    main = await begun_session(house)
    await turn(house, main, key="first")
    await episode(house, main)
    await turn(house, main)
    await turn(house, main)
    await episode(house, main)
    await turn(house, main)
    within = well(await fork_session(house, PROJECT, main.session_id, 3))
    of_the_fork = well(await fork_session(house, PROJECT, within.session_id, 4))
    await turn(house, within)
    await episode(house, within)
    await turn(house, of_the_fork)
    ended = well(await fork_session(house, PROJECT, main.session_id, 6))
    well(await end_session(house, request_of(ended)))
    # What 0001 had no columns for is as if it had never been.
    await store.for_project(PROJECT).create_work(WorkKind.WORLD, "bare", house.clock.now())


def played() -> MemoryStore:
    """The store in which they were played."""
    store = MemoryStore()
    asyncio.run(play(store))
    return store


def opened(folder: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    """Open the database of a folder, which brings it to the newest version, and do something."""

    async def whole() -> T:
        store = await open_sqlite(folder)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


async def told(store: Store) -> dict[str, object]:
    """All that a store tells of the sessions and works of the project."""
    project: ProjectStore = store.for_project(PROJECT)
    sessions = await project.sessions(limit=99)
    return {
        "project": await store.project(PROJECT),
        "sessions": sessions,
        "runs": {one.session_id: list(await project.runs(one.session_id, limit=99)) for one in sessions},
        "works": [list(await project.works(kind, limit=99)) for kind in WorkKind],
        "agents": list(await project.agents(limit=99)),
    }


def test_an_older_database_tells_of_its_sessions_what_it_would_have_told_from_the_start(tmp_path: Path) -> None:
    store = played()
    write_0001(tmp_path, PROJECT, store)
    assert opened(tmp_path, told) == asyncio.run(told(store))


def test_the_runs_of_an_older_database_are_those_that_were_played(tmp_path: Path) -> None:
    write_0001(tmp_path, PROJECT, played())
    found = opened(tmp_path, told)["runs"]
    assert isinstance(found, dict)
    spans = [[(run.run_id, run.first_beat, run.last_beat) for run in runs] for runs in found.values()]
    assert sorted(spans, key=str) == [
        [("run-1", 2, 4), ("run-2", 5, 8)],
        [("run-1", 2, 4), ("run-2", 5, None)],
        [("run-1", 2, 5), ("run-2", 6, None)],
        [("run-1", 2, 6)],
    ]


def test_the_sessions_of_an_older_database_are_verified_and_go_on(tmp_path: Path) -> None:
    write_0001(tmp_path, PROJECT, played())

    async def work(store: Store) -> None:
        house = await open_house(store=store)
        verified = await verify_all(house, PROJECT)
        assert len(verified) == 4
        assert all(isinstance(one, Verification) and one.ok for _, one in verified)
        project = store.for_project(PROJECT)
        (main,) = [one for one in await project.sessions(limit=9) if one.forked_from is None]
        begun = Begun(main.session_id, main.seed, {})
        await turn(house, begun)
        assert await project.run(main.session_id, "run-2") == StoredRun(2, "run-2", "one", 5, 7)
        session = await project.session(main.session_id)
        assert session is not None
        assert session.tokens_spent == main.tokens_spent + 4
        assert await project.create_work(WorkKind.PACKAGE, "new", "now", NewDraft(b"{}", "sha256:new"))

    opened(tmp_path, work)


@pytest.mark.parametrize("record", ["x'ff00'", "x'7b7d'", "x'5b5d'", "x'6e756c6c'", "record || x'7d'"])
def test_a_record_that_cannot_be_read_does_not_stop_a_database_from_being_opened(tmp_path: Path, record: str) -> None:
    write_0001(tmp_path, PROJECT, played())
    engine = engine_of(tmp_path / FILE_NAME)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE beats SET record = CAST({record} AS BLOB) WHERE beat = 2")
    engine.dispose()
    found = opened(tmp_path, told)["runs"]
    assert isinstance(found, dict)
    first = [runs[0] for runs in found.values() if runs]
    assert {run.run_id for run in first} == {"run-2"}, "the run that beat 2 started is not known"


def test_runs_that_are_named_twice_do_not_stop_a_database_from_being_opened(tmp_path: Path) -> None:
    write_0001(tmp_path, PROJECT, played())
    engine = engine_of(tmp_path / FILE_NAME)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE beats SET record = CAST(replace(CAST(record AS TEXT), 'run-2', 'run-1') AS BLOB)"
        )
    engine.dispose()
    found = opened(tmp_path, told)["runs"]
    assert isinstance(found, dict)
    assert {run.run_id for runs in found.values() for run in runs} == {"run-1"}


def test_processes_that_open_an_older_database_at_once_all_succeed(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from pathlib import Path
from storyworld.store.sqlite import open_sqlite

async def main():
    store = await open_sqlite(Path(sys.argv[1]))
    await store.close()

asyncio.run(main())
"""
    store = played()
    write_0001(tmp_path, PROJECT, store)
    openers = [start(script, tmp_path) for _ in range(4)]
    for opener in openers:
        opener.communicate(timeout=WAIT_S)
    assert [opener.returncode for opener in openers] == [0] * 4
    assert opened(tmp_path, told) == asyncio.run(told(store))
